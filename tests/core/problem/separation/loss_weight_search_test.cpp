// The search over loss_weights on listed outputs: its bounds, and the outputs that it finds.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/problem/separation.hpp"
#include "problem/separation/loss_weight_search.hpp"

using namespace sculpt::core;

namespace {

struct Output {
  double score_difference, loss;
};

struct ListedOutputs {
  std::vector<Output> outputs;
  bool truth_outside = false;
};

// Scales of losses and leads vary by some powers of ten. Every third problem has losses and leads
// on a grid, with ties and collinear points.
ListedOutputs random_listed(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  ListedOutputs listed;
  const std::size_t size = 1 + random() % 15;
  const double loss_scale = std::pow(10, 4 * uniform(random) - 2);
  const double score_scale = std::pow(10, 3 * uniform(random) - 1.5);
  const double shift = 2 * normal(random);
  const bool grid = random() % 3 == 0;
  for (std::size_t k = 0; k < size; ++k) {
    double loss = uniform(random);
    double score_difference = normal(random) + shift;
    if (grid) loss = std::floor(4 * loss), score_difference = std::floor(2 * score_difference);
    if (random() % 8 == 0) loss = 0;
    listed.outputs.push_back({score_difference * score_scale, loss * loss_scale});
  }
  listed.truth_outside = random() % 5 == 0;
  if (!listed.truth_outside) listed.outputs.push_back({0, 0});
  return listed;
}

// The violation by the formulas of the papers, without Formulation.
double violation(const Formulation& formulation, const Output& y) {
  const double root = formulation.slack_norm == 2 ? std::sqrt(y.loss) : y.loss;
  if (formulation.rescaling == Rescaling::margin) return root + y.score_difference;
  if (y.loss == 0) return 0;
  return formulation.is_hard_margin() ? 1 + y.score_difference : root * (1 + y.score_difference);
}

double largest_violation(const Formulation& formulation, const ListedOutputs& listed) {
  double largest = -infinity;
  for (const Output& y : listed.outputs) largest = std::max(largest, violation(formulation, y));
  return largest;
}

const Output& argmax(const ListedOutputs& listed, double loss_weight) {
  return *std::max_element(listed.outputs.begin(), listed.outputs.end(),
                           [&](const Output& a, const Output& b) {
                             return a.score_difference + loss_weight * a.loss <
                                    b.score_difference + loss_weight * b.loss;
                           });
}

// Runs the search with an exact oracle. `calls`: the number of its calls.
LossWeightSearch exact_search(const Formulation& formulation, const ListedOutputs& listed,
                              int& calls) {
  LossWeightSearch search(formulation, 32);
  calls = 0;
  while (const auto loss_weight = search.next_loss_weight()) {
    const Output& y = argmax(listed, *loss_weight);
    search.add_result({y.score_difference, y.loss, y.score_difference + *loss_weight * y.loss},
                      listed.truth_outside);
    ++calls;
  }
  return search;
}

// The bound of loss_weight_search.hpp at the loss_weight l.
double bound_at(const Formulation& formulation, const ListedOutputs& listed, double l) {
  const Output& y = argmax(listed, l);
  const double most = 1 + y.score_difference + l * y.loss;
  if (formulation.rescaling == Rescaling::margin) return most - 1 + 1 / (4 * l);
  if (most <= 0) return 0;
  if (formulation.is_hard_margin()) return most;
  return formulation.slack_norm == 1 ? most * most / (4 * l)
                                     : 2 * std::pow(most, 1.5) / (3 * std::sqrt(3 * l));
}

// How much rounding may change the violations of a problem.
double rounding(const ListedOutputs& listed) {
  double size = 1;
  for (const Output& y : listed.outputs) {
    size = std::max(size, (1 + y.loss) * (1 + std::abs(y.score_difference)));
  }
  return 1e-11 * size;
}

const std::vector<Formulation>& searched_formulations() {
  static const std::vector<Formulation> all = {
      {Rescaling::slack, 1, 1},        {Rescaling::slack, 2, 1},
      {Rescaling::margin, 2, 1},       {Rescaling::slack, 1, infinity},
      {Rescaling::slack, 2, infinity}, {Rescaling::margin, 2, infinity}};
  return all;
}

}  // namespace

TEST_CASE("the bounds of the search hold and its best is attained in 20 000 random problems") {
  std::mt19937_64 random(1);
  int closed = 0;
  int max_calls = 0;
  for (int problem = 0; problem < 20000; ++problem) {
    const ListedOutputs listed = random_listed(random);
    for (const Formulation& formulation : searched_formulations()) {
      CAPTURE(problem);
      CAPTURE(formulation.slack_norm);
      int calls = 0;
      const LossWeightSearch search = exact_search(formulation, listed, calls);
      const double largest = largest_violation(formulation, listed);
      const double slack = rounding(listed);
      // If no output violates, a bound of 0 is sufficient.
      REQUIRE(search.bound() >= std::min(largest, 0.0) - slack);
      if (largest > 0) REQUIRE(search.bound() >= largest - slack);
      const bool attained =
          std::any_of(listed.outputs.begin(), listed.outputs.end(), [&](const Output& y) {
            return std::abs(violation(formulation, y) - search.best()) <= slack;
          });
      REQUIRE(attained);
      REQUIRE(search.best() <= largest + slack);
      if (search.has_proved_best() && largest > 0)
        REQUIRE(search.best() >= largest * (1 - 2e-9) - slack);
      closed += search.has_proved_best() ? 1 : 0;
      max_calls = std::max(max_calls, calls);
    }
  }
  CHECK(closed > 20000);
  CHECK(max_calls < 32);
}

TEST_CASE("no loss_weight gives a better bound or a better output than those of the search") {
  std::mt19937_64 random(2);
  for (int problem = 0; problem < 2000; ++problem) {
    const ListedOutputs listed = random_listed(random);
    for (const Formulation& formulation : searched_formulations()) {
      if (formulation.rescaling == Rescaling::slack && formulation.is_hard_margin()) continue;
      CAPTURE(problem);
      CAPTURE(formulation.slack_norm);
      int calls = 0;
      const LossWeightSearch search = exact_search(formulation, listed, calls);
      const double slack = rounding(listed);
      for (double exponent = -6; exponent <= 6; exponent += 0.05) {
        const double l = std::pow(10, exponent);
        // A violation below 0 needs no bound.
        const double bound = std::max(bound_at(formulation, listed, l), 0.0);
        REQUIRE(std::max(search.bound(), 0.0) <= bound + 1e-9 * (1 + bound) + slack);
        if (search.bound() <= 0) continue;
        const double here = violation(formulation, argmax(listed, l));
        REQUIRE(search.best() >= here - 2e-9 * std::abs(here) - slack);
      }
    }
  }
}

TEST_CASE("a list of the k best outputs proves the largest violation in 20 000 random problems") {
  std::mt19937_64 random(47);
  int unproved = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const ListedOutputs listed = random_listed(random);
    const Formulation& formulation =
        searched_formulations()[static_cast<std::size_t>(trial) % searched_formulations().size()];
    int calls = 0;
    LossWeightSearch search = exact_search(formulation, listed, calls);
    const double largest =
        std::max(largest_violation(formulation, listed), listed.truth_outside ? -infinity : 0.0);
    const double allowed = 2e-9 * std::abs(largest) + rounding(listed);
    if (const auto loss_weight = search.list_loss_weight()) {
      ++unproved;
      std::vector<Output> best_first = listed.outputs;
      const auto value = [&](const Output& y) {
        return y.score_difference + *loss_weight * y.loss;
      };
      std::stable_sort(best_first.begin(), best_first.end(),
                       [&](const Output& a, const Output& b) { return value(a) > value(b); });
      for (const Output& y : best_first) {
        if (search.has_proved_best()) break;
        search.add_listed({y.score_difference, y.loss, value(y)}, listed.truth_outside);
        REQUIRE(search.bound() >= largest - allowed);  // also in the middle of the list
      }
      if (!search.has_proved_best()) search.end_list();
    }
    REQUIRE(search.has_proved_best());
    if (search.bound() <= 0) continue;  // no output violates its margin
    REQUIRE(std::abs(search.best() - largest) <= allowed);
    REQUIRE(std::abs(search.bound() - largest) <= 2 * allowed);
  }
  CHECK(unproved > 1000);
}

TEST_CASE("an oracle with bounds gives a bound of the violation, one without a promise does not") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform;
  int finite = 0;
  for (int problem = 0; problem < 20000; ++problem) {
    const ListedOutputs listed = random_listed(random);
    for (const Formulation& formulation : searched_formulations()) {
      LossWeightSearch bounded(formulation, 32);
      LossWeightSearch unbounded(formulation, 32);
      const double looseness = uniform(random);
      for (LossWeightSearch* search : {&bounded, &unbounded}) {
        while (const auto loss_weight = search->next_loss_weight()) {
          const Output& y = listed.outputs[random() % listed.outputs.size()];
          const Output& best = argmax(listed, *loss_weight);
          const double high = best.score_difference + *loss_weight * best.loss + looseness;
          search->add_result({y.score_difference, y.loss, search == &bounded ? high : infinity},
                             listed.truth_outside);
        }
      }
      const double largest = largest_violation(formulation, listed);
      if (largest > 0) REQUIRE(bounded.bound() >= largest - rounding(listed));
      REQUIRE(unbounded.bound() == infinity);
      REQUIRE_FALSE(unbounded.has_proved_best());
      finite += std::isfinite(bounded.bound()) ? 1 : 0;
    }
  }
  CHECK(finite > 100000);
}

TEST_CASE(
    "the score bound of the search is above every score difference, up to the last bits of its "
    "answers") {
  constexpr double last_bit = std::numeric_limits<double>::epsilon();
  std::mt19937_64 random(4);
  for (int problem = 0; problem < 2000; ++problem) {
    const ListedOutputs listed = random_listed(random);
    for (const Formulation& formulation : searched_formulations()) {
      LossWeightSearch search(formulation, 32);
      std::vector<double> loss_weights;
      std::vector<ScoreDifferenceBound> answers;
      while (const auto loss_weight = search.next_loss_weight()) {
        const Output& best = argmax(listed, *loss_weight);
        const double high = best.score_difference + *loss_weight * best.loss;
        loss_weights.push_back(*loss_weight);
        answers.emplace_back().add(*loss_weight, high, 0);
        search.add_result({best.score_difference, best.loss, high}, listed.truth_outside);
      }
      for (const Output& y : listed.outputs) {
        double least = infinity;
        for (std::size_t k = 0; k < answers.size(); ++k) {
          // high is rounded at the size of score_difference + loss_weight * loss. Nothing else is
          // larger.
          const double size = std::abs(y.score_difference) + loss_weights[k] * y.loss;
          const double most = answers[k].at(y.loss);
          REQUIRE(most >= y.score_difference - last_bit * size);
          least = std::min(least, most);
        }
        REQUIRE(search.score_bound().at(y.loss) == least);
      }
    }
  }
  CHECK(ScoreDifferenceBound().at(1) == infinity);
}

TEST_CASE("an output on the hull is found exactly, one inside is not, and the bound shows it") {
  const Formulation slack{Rescaling::slack, 1, 1};
  int calls = 0;
  // Points (Delta, h): (1, 2) alone above the truth. The best is 2.
  const ListedOutputs hull{{{1, 1}, {0, 0}}};
  const LossWeightSearch exact = exact_search(slack, hull, calls);
  CHECK(exact.has_proved_best());
  CHECK(exact.best() == 2);
  CHECK(exact.bound() == doctest::Approx(2).epsilon(1e-12));
  // (2, 2) is best with 4, but lies below the edge from (0, 5) to (5, 0.5).
  const ListedOutputs inside{{{4, 0}, {1, 2}, {-0.5, 5}}};
  const LossWeightSearch inexact = exact_search(slack, inside, calls);
  CHECK_FALSE(inexact.has_proved_best());
  CHECK(inexact.best() == doctest::Approx(2.5));
  CHECK(inexact.bound() == doctest::Approx(6.9444444).epsilon(1e-6));  // 5^2 / (4 * 0.9)
  CHECK(calls < 8);
}

TEST_CASE("losses too small for any loss_weight have the bounds of the largest loss_weight") {
  constexpr double l = 1e9;
  int calls = 0;
  for (const double loss : {0.0, 1e-15, 1e-12}) {
    CAPTURE(loss);
    for (const Formulation& formulation : searched_formulations()) {
      if (formulation.rescaling == Rescaling::slack && formulation.is_hard_margin()) continue;
      CAPTURE(formulation.slack_norm);
      const ListedOutputs listed{{{2, loss}, {0, 0}}};
      const LossWeightSearch search = exact_search(formulation, listed, calls);
      // A best and a bound that agree to 1e-9 end the search earlier.
      CHECK(search.bound() <= bound_at(formulation, listed, l) * (1 + 1e-9));
      CHECK(search.bound() >= largest_violation(formulation, listed));
      CHECK(calls < 8);
    }
  }
}

TEST_CASE("under hard margin with slack rescaling only F(0) is certified") {
  const Formulation hard{Rescaling::slack, 1, infinity};
  int calls = 0;
  // No output reaches h = 1 of the truth: the best has h = 0.9.
  const LossWeightSearch satisfied = exact_search(hard, {{{-0.1, 1}, {-3, 2}, {0, 0}}}, calls);
  CHECK(satisfied.best() == doctest::Approx(0.9));
  CHECK(satisfied.bound() == 1);
  CHECK_FALSE(satisfied.has_proved_best());
  const LossWeightSearch violated = exact_search(hard, {{{0.5, 1}, {-3, 2}, {0, 0}}}, calls);
  CHECK(violated.best() == 1.5);
  CHECK(violated.bound() == 1.5);
  CHECK(violated.has_proved_best());
  CHECK(calls == 1);
}
