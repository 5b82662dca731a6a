// Planes under every formulation, against brute force over all outputs.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/problem/brute_force.hpp"
#include "core/problem/separation.hpp"
#include "problem/separation/frontier_scan.hpp"

using namespace sculpt::core;

namespace {

const ThrowIfStopped never_stops = [] {};

struct LossOfCounts {
  const char* name;
  std::vector<sculpt_count> counts;
  std::function<double(const Counts&)> value;  // empty: the errors, which split
};

const std::vector<LossOfCounts>& losses() {
  static const std::vector<LossOfCounts> all = {
      {"errors", {{"errors", unlimited, 0, 0}}, {}},
      {"whether any is wrong", {{"errors", 1, 0, 0}}, [](const Counts& c) { return double(c[0]); }},
      {"errors up to 2", {{"errors", 2, 0, 0}}, [](const Counts& c) { return double(c[0]) / 7; }},
      {"errors squared",
       {{"errors", unlimited, 0, 0}},
       [](const Counts& c) { return double(c[0] * c[0]); }},
      {"one error is free",
       {{"errors", unlimited, 0, 0}},
       [](const Counts& c) { return 10.0 * double(std::max<std::int64_t>(0, c[0] - 1)); }},
      {"falling beyond two",
       {{"errors", unlimited, 0, 0}},
       [](const Counts& c) { return double(c[0] * (4 - c[0])); }},
      {"two counts",
       {{"errors", unlimited, 0, 0}, {"twos", unlimited, 0, 0}},
       [](const Counts& c) { return std::sqrt(double(c[0])) + 0.3 * double(c[1]); }},
      {"two counts with a limit",
       {{"errors", unlimited, 0, 0}, {"twos", 1, 0, 0}},
       [](const Counts& c) { return double(c[0] * (1 + c[1])); }}};
  return all;
}

ToyPlan frontier_toy(const LossOfCounts& loss, std::uint64_t seed) {
  ToyPlan plan = random_toy(15, seed);
  plan.offers_frontier = true;
  plan.counts = loss.counts;
  plan.loss_of_counts = loss.value;
  plan.loss_splits = !loss.value;
  return plan;
}

// Even seeds: small integers, so that many outputs are equally good. Odd seeds: random numbers.
Vector weights_with_ties(std::uint64_t seed) {
  Vector w = random_weights(seed);
  if (seed % 2 == 0) {
    for (double& weight : w) weight = std::round(weight);
  }
  return w;
}

// True if the plane is that of the listed output.
bool is_plane_of(const Separation& one, const ListedPlane& listed) {
  std::map<std::int32_t, double> difference = listed.a;
  for (std::size_t k = 0; k < one.plane.a.index.size(); ++k) {
    difference[one.plane.a.index[k]] -= one.plane.a.value[k];
  }
  return std::abs(one.plane.b - listed.b) < 1e-12 &&
         std::all_of(difference.begin(), difference.end(),
                     [](const auto& entry) { return std::abs(entry.second) < 1e-12; });
}

void check_exact(const Separation& one, const std::vector<ListedPlane>& planes, const Vector& w) {
  const double largest = largest_violation(planes);
  REQUIRE(one.low == doctest::Approx(largest).epsilon(1e-9));
  REQUIRE(one.high == doctest::Approx(largest).epsilon(1e-9));
  REQUIRE(one.high >= one.low);
  REQUIRE(one.low == one.plane.b - dot(one.plane.a, w));
  REQUIRE(std::any_of(planes.begin(), planes.end(), [&](const ListedPlane& listed) {
    return listed.violation > largest - 1e-9 && is_plane_of(one, listed);
  }));
}

// The smallest violation of an output that argmax with loss_weight 1 may return.
double min_argmax_violation(const std::vector<ListedPlane>& planes) {
  double most = -infinity;
  for (const ListedPlane& plane : planes) most = std::max(most, plane.argmax_value);
  double smallest = infinity;
  for (const ListedPlane& plane : planes) {
    if (plane.argmax_value > most - 1e-9) smallest = std::min(smallest, plane.violation);
  }
  return smallest;
}

}  // namespace

TEST_CASE("planes of a frontier are those of brute force under all eight formulations") {
  int violated = 0;
  for (const LossOfCounts& loss : losses()) {
    CAPTURE(loss.name);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(seed);
      toy_plan() = frontier_toy(loss, seed);
      const Vector w = weights_with_ties(seed);
      for (const Formulation& formulation : all_formulations()) {
        CAPTURE(formulation.slack_norm);
        CAPTURE(formulation.C);
        for (const sculpt_component* oracle : {&toy_oracle(), &toy_map_solver()}) {
          const auto all = separate_all(*oracle, 1, w, formulation);
          for (std::size_t i = 0; i < all.size(); ++i) {
            const auto planes = all_planes(toy_plan().training[i], w, formulation);
            check_exact(all[i], planes, w);
            violated += all[i].low > 0 ? 1 : 0;
          }
        }
      }
    }
  }
  CHECK(violated > 10000);
}

TEST_CASE(
    "if the truth is no output the frontier has the other outputs, under all eight formulations") {
  int below = 0;
  for (const LossOfCounts& loss : losses()) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      toy_plan() = frontier_toy(loss, seed);
      toy_plan().leaves_out_truth = true;
      const Vector w = weights_with_ties(seed);
      for (const Formulation& formulation : all_formulations()) {
        const auto all = separate_all(toy_oracle(), 1, w, formulation);
        for (std::size_t i = 0; i < all.size(); ++i) {
          const auto planes = all_planes(toy_plan().training[i], w, formulation);
          REQUIRE(all[i].no_output == planes.empty());
          if (planes.empty()) {
            CHECK(all[i].low == 0);
            CHECK(all[i].high == 0);
            continue;
          }
          REQUIRE(all[i].truth_outside);
          const double largest = largest_violation(planes);
          below += largest < 0 ? 1 : 0;
          if (largest >= 0) check_exact(all[i], planes, w);
          // Below 0 the slack is 0, so the bounds need not be tight.
          REQUIRE(all[i].low <= largest + 1e-9);
          REQUIRE(all[i].high >= largest - 1e-9);
          REQUIRE(std::max(all[i].high, 0.0) == doctest::Approx(std::max(largest, 0.0)));
        }
      }
    }
  }
  CHECK(below > 50);
}

TEST_CASE("a frontier is used if the loss does not split, also under margin rescaling") {
  toy_plan() = frontier_toy(losses()[1], 3);
  toy_plan().inject_error = [](const std::string& function, std::int64_t) {
    return function == "loss.add" ? SCULPT_E_INTERNAL : SCULPT_OK;
  };
  Problem problem(toy_spec(toy_map_solver()), Purpose::training, 1, {});
  CHECK(problem.strategy() == SeparationStrategy::frontier);
  toy_plan().inject_error = nullptr;
  CHECK(Problem(toy_spec(toy_oracle()), Purpose::training, 1, {}).strategy() ==
        SeparationStrategy::one_argmax);
}

TEST_CASE("skipped slices change no result of a frontier scan") {
  std::int64_t all_slices = 0;
  std::int64_t slices = 0;
  for (const LossOfCounts& loss : losses()) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      toy_plan() = frontier_toy(loss, seed);
      const Vector w = weights_with_ties(seed);
      for (const Formulation& formulation : all_formulations()) {
        toy_plan().change_slice = nullptr;  // the slices of the probe do not count
        Problem problem(toy_spec(toy_oracle(), formulation), Purpose::training, 1, {});
        FrontierScan scan(problem.oracle(), formulation);
        for (std::int64_t i = 0; i < 15; ++i) {
          const ToyExample& example = toy_plan().training[static_cast<std::size_t>(i)];
          const sculpt_labels truth = problem.dataset().truth(i);
          double truth_score = 0;
          toy::for_each_feature(example.observations, truth.data, [&](std::int32_t index) {
            truth_score += w[static_cast<std::size_t>(index)];
          });
          sculpt_query query = {sizeof query, 0, i, 0, {w.data(), toy_weight_count, 1}, truth, 0};
          constexpr double noise = 1e-13;
          ScoreDifferenceBound score_bound;
          Answer answer;
          for (const double loss_weight : {0.0, 0.3, 1.0, 4.0}) {
            query.loss_weight = loss_weight;
            problem.oracle().argmax(0, query, answer);
            score_bound.add(loss_weight, answer.value() - truth_score, 0);
          }
          toy_plan().change_slice = [&](std::int64_t, double*) { ++all_slices; };
          const FrontierMaximum whole =
              scan.run(0, query, truth_score, -infinity, noise, {}, never_stops);
          toy_plan().change_slice = [&](std::int64_t, double*) { ++slices; };
          const FrontierMaximum part =
              scan.run(0, query, truth_score, -infinity, noise, score_bound, never_stops);
          CHECK(part.counts == whole.counts);
          CHECK(part.violation == whole.violation);
          CHECK(part.high == doctest::Approx(whole.high));
          // If the maximum itself is known, no entry is larger.
          const FrontierMaximum none =
              scan.run(0, query, truth_score, whole.violation, noise, score_bound, never_stops);
          CHECK_FALSE(none.counts);
          CHECK(none.high == doctest::Approx(whole.high));
        }
      }
    }
  }
  CHECK(slices < all_slices * 9 / 10);
}

TEST_CASE("the entry with the smallest counts is taken among equal violations") {
  toy_plan() = {};
  toy_plan().training = {{{0, 0, 0}, {0, 0, 0}}};
  toy_plan().offers_frontier = true;
  toy_plan().counts = {{"errors", unlimited, 0, 0}, {"twos", unlimited, 0, 0}};
  toy_plan().loss_of_counts = [](const Counts& c) { return c[0] > 0 ? 1.0 : 0.0; };
  const Formulation slack{Rescaling::slack, 1, 1};
  Problem problem(toy_spec(toy_oracle(), slack), Purpose::training, 1, {});
  const Vector w = zero_weights();  // every output with an error violates by 1
  const sculpt_query query = {
      sizeof query, 0, 0, 0, {w.data(), toy_weight_count, 1}, problem.dataset().truth(0), 0};
  const FrontierMaximum found =
      FrontierScan(problem.oracle(), slack).run(0, query, 0, -infinity, 0, {}, never_stops);
  REQUIRE(found.counts);
  CHECK(*found.counts == Counts{1, 0});
  CHECK(found.violation == 1);
}

TEST_CASE("the search over loss_weights bounds brute force and finds a violated output") {
  int exact = 0;
  int violated = 0;
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    toy_plan() = random_toy(15, seed);  // no frontier
    const Vector w = weights_with_ties(seed);
    for (const Formulation& formulation : all_formulations()) {
      if (formulation.needs_one_argmax()) continue;
      for (const sculpt_component* oracle : {&toy_oracle(), &toy_map_solver()}) {
        const auto all = separate_all(*oracle, 1, w, formulation);
        for (std::size_t i = 0; i < all.size(); ++i) {
          const auto planes = all_planes(toy_plan().training[i], w, formulation);
          const double largest = largest_violation(planes);
          const Separation& one = all[i];
          REQUIRE(one.low <= largest + 1e-9);
          REQUIRE(one.high >= largest - 1e-9);
          REQUIRE(one.high < infinity);
          const bool asks_at_1 = formulation.rescaling == Rescaling::margin || formulation.C == 1;
          if (asks_at_1) REQUIRE(one.low >= min_argmax_violation(planes) - 1e-9);
          REQUIRE(one.low == one.plane.b - dot(one.plane.a, w));
          REQUIRE(std::any_of(planes.begin(), planes.end(),
                              [&](const ListedPlane& listed) { return is_plane_of(one, listed); }));
          violated += largest > 1e-9 ? 1 : 0;
          found += largest > 1e-9 && one.low > 0 ? 1 : 0;
          exact += one.high - one.low < 1e-6 ? 1 : 0;
        }
      }
    }
  }
  CHECK(violated > 1500);
  CHECK(found > violated * 9 / 10);
  CHECK(exact > 1000);
}

TEST_CASE(
    "threads: planes under every formulation are the same bytes on one, two and four threads") {
  for (const bool frontier : {false, true}) {
    toy_plan() = frontier_toy(losses()[0], 5);
    toy_plan().training = random_toy(200, 5).training;
    toy_plan().offers_frontier = frontier;
    const Vector w = random_weights(5);
    for (const Formulation& formulation : all_formulations()) {
      const auto one = separate_all(toy_oracle(), 1, w, formulation);
      for (int threads : {2, 4}) {
        CHECK(same(one, separate_all(toy_oracle(), threads, w, formulation)));
      }
    }
  }
}
