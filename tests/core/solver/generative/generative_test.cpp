// generative computes w from counts, then evaluates P at this w.

#include "solver/generative/generative.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/failure.hpp"
#include "core/refusal.hpp"
#include "core/solver/listed_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;
using doctest::Approx;

namespace {

// The psi of all truths add up to `sum`. `groups`: [dimension] the group of each feature, or -1.
class Counts : public CountSource {
 public:
  Counts(const ListedProblem& problem, Vector sum, std::vector<std::int32_t> groups)
      : problem_(problem), sum_(std::move(sum)), groups_(std::move(groups)) {}

  std::int64_t example_count() const override { return problem_.example_count(); }
  std::int64_t dimension() const override { return problem_.dimension(); }
  void sum_truths(std::span<const std::int64_t>, Vector& sum) override {
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += sum_[j];
  }
  std::vector<std::int32_t> groups() const override { return groups_; }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }

 private:
  const ListedProblem& problem_;
  Vector sum_;
  std::vector<std::int32_t> groups_;
};

// A problem with four weights. The last one is in no group.
struct CountedProblem {
  explicit CountedProblem(Vector sum = {3, 1, 0, 5})
      : problem(4), counts(problem, std::move(sum), {0, 0, 0, -1}) {
    problem.examples = {{Plane{}, Plane{{{0, 1}, {1.0, -1.0}}, 1}},
                        {Plane{{{1, 3}, {-0.5, 1.0}}, 2}, Plane{}},
                        {Plane{{{2}, {-1.0}}, 1}, Plane{{{0}, {1.0}}, 0.5}}};
    ports = problem;
    ports.counts = &counts;
    options.formulation = {Rescaling::margin, 1, 3};
    options.smoothing.ungrouped_weight = 0.25;
  }
  Result solve(const StopRequest& stop = {}) {
    return Generative(options).solve(ports, recorder, stop);
  }

  ListedProblem problem;
  Counts counts;
  Ports ports;
  GenerativeOptions options;
  Recorder recorder;
};

}  // namespace

TEST_CASE("generative returns the log of smoothed frequencies of the truths, and P at them") {
  CountedProblem counted;
  const Result result = counted.solve();
  REQUIRE(result.w.size() == 4);
  CHECK(result.w[0] == Approx(std::log(4.0 / 7)));
  CHECK(result.w[1] == Approx(std::log(2.0 / 7)));
  CHECK(result.w[2] == Approx(std::log(1.0 / 7)));
  CHECK(result.w[3] == 0.25);
  CHECK(result.stopped_by == StoppedBy::counted);
  CHECK(result.passes == 1);
  CHECK(result.oracle_calls == 3);
  const double primal = counted.problem.primal(result.w, counted.options.formulation);
  CHECK(result.primal == Approx(primal));
  REQUIRE(result.primal_high.has_value());
  CHECK(*result.primal_high == Approx(primal));
  CHECK(std::isnan(result.dual));
  REQUIRE(counted.recorder.reports.size() == 1);
  CHECK(counted.recorder.reports[0].primal_low == Approx(primal));
}

TEST_CASE("generative returns its w even if a stop request prevents the evaluation of P") {
  CountedProblem counted;
  const Result result = counted.solve([] { return true; });
  CHECK(result.stopped_by == StoppedBy::signal);
  CHECK(result.w == CountedProblem().solve().w);
  CHECK(result.passes == 0);
  CHECK_FALSE(result.primal_high.has_value());
}

TEST_CASE("without upper bounds the P of generative is a lower bound") {
  CountedProblem counted;
  counted.problem.exact = false;
  const Result result = counted.solve();
  CHECK_FALSE(result.primal_high.has_value());
  CHECK(result.uncertified_reason == UncertifiedReason::no_upper_bound);
  CHECK(result.primal == result.primal_low);
}

TEST_CASE("generative refuses a negative count of a feature that is in a group") {
  CountedProblem counted({3, -1, 0, -5});
  const Refusal refusal = refusal_of([&] { counted.solve(); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("feature 1 adds up to -1"));
}

TEST_CASE("generative refuses a problem without groups of features or counts, with a remedy") {
  CountedProblem counted;
  const Generative generative(counted.options);
  const auto refused = [&] {
    return refusal_of([&] { generative.require_ports(counted.ports, "generative"); }).text;
  };
  counted.ports.obstacle_to_groups = "";
  CHECK_NOTHROW(generative.require_ports(counted.ports, "generative"));
  counted.ports.obstacle_to_groups = "chain names none";
  CHECK(refused() ==
        "generative needs groups of features, but chain names none; use features that offer them "
        "(describe NAME lists what one offers), or another solver");
  counted.ports.counts = nullptr;
  CHECK(refused() ==
        "generative needs the features of the truths, but there are none; use another solver");
}
