// Samples that a Problem offers to solvers: their features, means and seeds.

#include "problem/sources/problem_samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/problem/separation.hpp"
#include "core/problem/toy_parts.hpp"
#include "problem/sources/problem_ports.hpp"

namespace sculpt::core {
namespace {

// A sample or a mean.
Vector dense_of(const PlaneVector& x) {
  Vector out = zero_weights();
  x.add_to(1, out);
  return out;
}

// psi of every output of an example of the toy.
std::vector<Vector> all_outputs(const ToyExample& example) {
  std::vector<Vector> all;
  const std::size_t size = example.observations.size();
  for (std::int64_t number = 0; number < toy::labelling_count(size); ++number) {
    Vector psi = zero_weights();
    const toy::Labels y = toy::labelling(number, size);
    toy::for_each_feature(example.observations, y.data(),
                          [&](std::int32_t index) { psi[static_cast<std::size_t>(index)] += 1; });
    all.push_back(std::move(psi));
  }
  return all;
}

void plan_samples(bool has_expectations) {
  toy_plan() = {};
  toy_plan().training = {{{0, 1, 2}, {0, 1, 2}}, {{3, 1}, {2, 1}}, {{2}, {0}}};
  toy_plan().offers_samples = true;
  toy_plan().offers_expectations = has_expectations;
}

std::vector<OutputSamples> drawn(std::int64_t count, int threads = 1, std::uint64_t seed = 5,
                                 bool guard = false, std::uint64_t pass = 1) {
  ProblemSpec spec = toy_spec(toy_oracle());
  spec.is_guarded = guard;
  Problem problem(spec, Purpose::training, threads, {});
  ProblemPorts ports(problem, seed);
  std::vector<OutputSamples> out;
  REQUIRE(ports.ports().obstacle_to(Port::samples).empty());
  ports.ports().samples->draw(count, true, pass, out);
  return out;
}

bool are_equal(const std::vector<OutputSamples>& a, const std::vector<OutputSamples>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return dense_of(one.mean) == dense_of(other.mean) &&
           dense_of(one.deviation) == dense_of(other.deviation) &&
           std::equal(one.psi.begin(), one.psi.end(), other.psi.begin(), other.psi.end(),
                      [](const PlaneVector& x, const PlaneVector& y) {
                        return dense_of(x) == dense_of(y);
                      });
  });
}

}  // namespace

TEST_CASE("samples are outputs, and their mean is within four standard errors of the exact mean") {
  constexpr std::int64_t count = 2000;
  for (const bool has_expectations : {true, false}) {
    for (const bool guard : {false, true}) {
      plan_samples(has_expectations);
      const std::vector<OutputSamples> samples = drawn(count, 1, 5, guard);
      REQUIRE(samples.size() == 3);
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::vector<Vector> all = all_outputs(toy_plan().training[i]);
        REQUIRE(std::ssize(samples[i].psi) == count);
        CHECK(samples[i].has_output);
        REQUIRE(std::ssize(samples[i].losses) == count);
        Vector of_samples = zero_weights();
        for (const PlaneVector& psi : samples[i].psi) {
          const Vector dense = dense_of(psi);
          CHECK(std::find(all.begin(), all.end(), dense) != all.end());
          axpy(1.0 / count, std::span<const double>(dense), of_samples);
        }
        Vector truth = zero_weights();
        toy::for_each_feature(
            toy_plan().training[i].observations, toy_plan().training[i].truth.data(),
            [&](std::int32_t index) { truth[static_cast<std::size_t>(index)] += 1; });
        const Vector mean = dense_of(samples[i].mean);
        const Vector deviation = dense_of(samples[i].deviation);
        for (std::size_t j = 0; j < mean.size(); ++j) {
          double exact = 0;
          double square = 0;
          for (const Vector& psi : all) exact += psi[j] / static_cast<double>(all.size());
          for (const Vector& psi : all) {
            square += (psi[j] - exact) * (psi[j] - exact) / static_cast<double>(all.size());
          }
          CHECK(std::abs(of_samples[j] - exact) <= 4 * std::sqrt(square / count) + 1e-12);
          CHECK(mean[j] == doctest::Approx(has_expectations ? exact : of_samples[j]));
          CHECK(deviation[j] == doctest::Approx(truth[j] - mean[j]));
        }
      }
      toy_plan() = {};
    }
  }
}

TEST_CASE("samples depend on the seed of the run, not on threads or the number of the pass") {
  plan_samples(false);
  const std::vector<OutputSamples> samples = drawn(20);
  CHECK(are_equal(samples, drawn(20, 4)));
  CHECK(are_equal(samples, drawn(20, 1, 5, false, 17)));
  CHECK_FALSE(are_equal(samples, drawn(20, 1, 6)));
  // Fewer samples are the first of more.
  const std::vector<OutputSamples> more = drawn(30);
  for (std::size_t k = 0; k < 20; ++k) {
    CHECK(dense_of(more[0].psi[k]) == dense_of(samples[0].psi[k]));
  }
  toy_plan() = {};
}

TEST_CASE("examples of weight 0 are not asked for samples, and means that are not exact not used") {
  plan_samples(true);
  toy_plan().weights = {1, 0, 2};
  toy_plan().log_z_flags = 0;
  int begun = 0;
  toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
    begun += function == "oracle.begin_draws" ? 1 : 0;
    return SCULPT_OK;
  };
  const std::vector<OutputSamples> samples = drawn(1);
  CHECK(begun == 2);
  CHECK_FALSE(samples[1].has_output);
  CHECK(samples[1].psi.empty());
  CHECK(dense_of(samples[2].mean) == dense_of(samples[2].psi[0]));
  toy_plan() = {};
}

TEST_CASE("an oracle without samples is named") {
  plan_samples(true);
  toy_plan().offers_samples = false;
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 1, {});
  ProblemPorts ports(problem, 1);
  CHECK(ports.ports().obstacle_to(Port::samples) == "all offers no samples (sculpt.sample/1)");
  toy_plan() = {};
}

}  // namespace sculpt::core
