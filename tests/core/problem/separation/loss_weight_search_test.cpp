// The search over loss_weights, on listed outputs: what it proves, and what it finds.

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
  double lead, loss;
};

struct Listed {
  std::vector<Output> outputs;
  bool truth_outside = false;
};

// Scales of losses and leads vary by some powers of ten; every third problem has losses and leads
// on a grid, with ties and collinear points.
Listed random_listed(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  Listed listed;
  const std::size_t size = 1 + random() % 15;
  const double loss_scale = std::pow(10, 4 * uniform(random) - 2);
  const double lead_scale = std::pow(10, 3 * uniform(random) - 1.5);
  const double shift = 2 * normal(random);
  const bool grid = random() % 3 == 0;
  for (std::size_t k = 0; k < size; ++k) {
    double loss = uniform(random);
    double lead = normal(random) + shift;
    if (grid) loss = std::floor(4 * loss), lead = std::floor(2 * lead);
    if (random() % 8 == 0) loss = 0;
    listed.outputs.push_back({lead * lead_scale, loss * loss_scale});
  }
  listed.truth_outside = random() % 5 == 0;
  if (!listed.truth_outside) listed.outputs.push_back({0, 0});
  return listed;
}

// As the papers write them, without Formulation.
double violation(const Formulation& formulation, const Output& y) {
  const double root = formulation.slack_norm == 2 ? std::sqrt(y.loss) : y.loss;
  if (formulation.rescaling == Rescaling::margin) return root + y.lead;
  if (y.loss == 0) return 0;
  return formulation.hard_margin() ? 1 + y.lead : root * (1 + y.lead);
}

double largest_violation(const Formulation& formulation, const Listed& listed) {
  double largest = -infinity;
  for (const Output& y : listed.outputs) largest = std::max(largest, violation(formulation, y));
  return largest;
}

const Output& argmax(const Listed& listed, double loss_weight) {
  return *std::max_element(listed.outputs.begin(), listed.outputs.end(),
                           [&](const Output& a, const Output& b) {
                             return a.lead + loss_weight * a.loss < b.lead + loss_weight * b.loss;
                           });
}

// The search with an exact oracle. `asked` counts the calls.
LossWeightSearch exact_search(const Formulation& formulation, const Listed& listed, int& asked) {
  LossWeightSearch search(formulation, 32);
  asked = 0;
  while (const auto loss_weight = search.next()) {
    const Output& y = argmax(listed, *loss_weight);
    search.add({y.lead, y.loss, y.lead + *loss_weight * y.loss}, listed.truth_outside);
    ++asked;
  }
  return search;
}

// The bounds of the header, at one loss_weight.
double bound_at(const Formulation& formulation, const Listed& listed, double l) {
  const Output& y = argmax(listed, l);
  const double most = 1 + y.lead + l * y.loss;
  if (formulation.rescaling == Rescaling::margin) return most - 1 + 1 / (4 * l);
  if (most <= 0) return 0;
  if (formulation.hard_margin()) return most;
  return formulation.slack_norm == 1 ? most * most / (4 * l)
                                     : 2 * std::pow(most, 1.5) / (3 * std::sqrt(3 * l));
}

// What rounding may change in the violations of a problem.
double rounding(const Listed& listed) {
  double size = 1;
  for (const Output& y : listed.outputs) {
    size = std::max(size, (1 + y.loss) * (1 + std::abs(y.lead)));
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
    const Listed listed = random_listed(random);
    for (const Formulation& formulation : searched_formulations()) {
      CAPTURE(problem);
      CAPTURE(formulation.slack_norm);
      int asked = 0;
      const LossWeightSearch search = exact_search(formulation, listed, asked);
      const double largest = largest_violation(formulation, listed);
      const double slack = rounding(listed);
      // Where no output violates, 0 is bound enough.
      REQUIRE(search.bound() >= std::min(largest, 0.0) - slack);
      if (largest > 0) REQUIRE(search.bound() >= largest - slack);
      const bool attained =
          std::any_of(listed.outputs.begin(), listed.outputs.end(), [&](const Output& y) {
            return std::abs(violation(formulation, y) - search.best()) <= slack;
          });
      REQUIRE(attained);
      REQUIRE(search.best() <= largest + slack);
      if (search.closed() && largest > 0) REQUIRE(search.best() >= largest * (1 - 2e-9) - slack);
      closed += search.closed() ? 1 : 0;
      max_calls = std::max(max_calls, asked);
    }
  }
  CHECK(closed > 20000);
  CHECK(max_calls < 32);
}

TEST_CASE("no loss_weight gives a better bound or a better output than those the search asks") {
  std::mt19937_64 random(2);
  for (int problem = 0; problem < 2000; ++problem) {
    const Listed listed = random_listed(random);
    for (const Formulation& formulation : searched_formulations()) {
      if (formulation.rescaling == Rescaling::slack && formulation.hard_margin()) continue;
      CAPTURE(problem);
      CAPTURE(formulation.slack_norm);
      int asked = 0;
      const LossWeightSearch search = exact_search(formulation, listed, asked);
      const double slack = rounding(listed);
      for (double exponent = -6; exponent <= 6; exponent += 0.05) {
        const double l = std::pow(10, exponent);
        // Beyond the largest violation there is nothing to prove.
        const double bound = std::max(bound_at(formulation, listed, l), 0.0);
        REQUIRE(std::max(search.bound(), 0.0) <= bound + 1e-9 * (1 + bound) + slack);
        if (search.bound() <= 0) continue;
        const double here = violation(formulation, argmax(listed, l));
        REQUIRE(search.best() >= here - 2e-9 * std::abs(here) - slack);
      }
    }
  }
}

TEST_CASE("an oracle that gives bounds bounds the violation, one without a promise does not") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform;
  int finite = 0;
  for (int problem = 0; problem < 20000; ++problem) {
    const Listed listed = random_listed(random);
    for (const Formulation& formulation : searched_formulations()) {
      LossWeightSearch bounded(formulation, 32);
      LossWeightSearch silent(formulation, 32);
      const double looseness = uniform(random);
      for (LossWeightSearch* search : {&bounded, &silent}) {
        while (const auto loss_weight = search->next()) {
          const Output& y = listed.outputs[random() % listed.outputs.size()];
          const Output& best = argmax(listed, *loss_weight);
          const double high = best.lead + *loss_weight * best.loss + looseness;
          search->add({y.lead, y.loss, search == &bounded ? high : infinity}, listed.truth_outside);
        }
      }
      const double largest = largest_violation(formulation, listed);
      if (largest > 0) REQUIRE(bounded.bound() >= largest - rounding(listed));
      REQUIRE(silent.bound() == infinity);
      REQUIRE_FALSE(silent.closed());
      finite += std::isfinite(bounded.bound()) ? 1 : 0;
    }
  }
  CHECK(finite > 100000);
}

TEST_CASE("the ceiling of the search lies above every lead, to the last bits of its answers") {
  constexpr double last_bit = std::numeric_limits<double>::epsilon();
  std::mt19937_64 random(4);
  for (int problem = 0; problem < 2000; ++problem) {
    const Listed listed = random_listed(random);
    for (const Formulation& formulation : searched_formulations()) {
      LossWeightSearch search(formulation, 32);
      std::vector<double> loss_weights;
      std::vector<ScoreDifferenceBound> answers;
      while (const auto loss_weight = search.next()) {
        const Output& best = argmax(listed, *loss_weight);
        const double high = best.lead + *loss_weight * best.loss;
        loss_weights.push_back(*loss_weight);
        answers.emplace_back().add(*loss_weight, high, 0);
        search.add({best.lead, best.loss, high}, listed.truth_outside);
      }
      for (const Output& y : listed.outputs) {
        double least = infinity;
        for (std::size_t k = 0; k < answers.size(); ++k) {
          // high is rounded at the size of lead + loss_weight * loss, nothing else is larger.
          const double size = std::abs(y.lead) + loss_weights[k] * y.loss;
          const double most = answers[k].at(y.loss);
          REQUIRE(most >= y.lead - last_bit * size);
          least = std::min(least, most);
        }
        REQUIRE(search.ceiling().at(y.loss) == least);
      }
    }
  }
  CHECK(ScoreDifferenceBound().at(1) == infinity);
}

TEST_CASE("an output on the hull is found exactly, one inside it is not, and the bound says so") {
  const Formulation slack{Rescaling::slack, 1, 1};
  int asked = 0;
  // Points (Delta, h): (1, 2) alone above the truth. The best is 2.
  const Listed hull{{{1, 1}, {0, 0}}};
  const LossWeightSearch exact = exact_search(slack, hull, asked);
  CHECK(exact.closed());
  CHECK(exact.best() == 2);
  CHECK(exact.bound() == doctest::Approx(2).epsilon(1e-12));
  // (2, 2) is best with 4, but lies below the edge from (0, 5) to (5, 0.5).
  const Listed inside{{{4, 0}, {1, 2}, {-0.5, 5}}};
  const LossWeightSearch inexact = exact_search(slack, inside, asked);
  CHECK_FALSE(inexact.closed());
  CHECK(inexact.best() == doctest::Approx(2.5));
  CHECK(inexact.bound() == doctest::Approx(6.9444444).epsilon(1e-6));  // 5^2 / (4 * 0.9)
  CHECK(asked < 8);
}

TEST_CASE("losses too small for any loss_weight leave the bounds of the largest one") {
  constexpr double l = 1e9;
  int asked = 0;
  for (const double loss : {0.0, 1e-15, 1e-12}) {
    CAPTURE(loss);
    for (const Formulation& formulation : searched_formulations()) {
      if (formulation.rescaling == Rescaling::slack && formulation.hard_margin()) continue;
      CAPTURE(formulation.slack_norm);
      const Listed listed{{{2, loss}, {0, 0}}};
      const LossWeightSearch search = exact_search(formulation, listed, asked);
      // A best and a bound that agree to 1e-9 end the search earlier.
      CHECK(search.bound() <= bound_at(formulation, listed, l) * (1 + 1e-9));
      CHECK(search.bound() >= largest_violation(formulation, listed));
      CHECK(asked < 8);
    }
  }
}

TEST_CASE("under hard margin with slack rescaling F(0) is all that is certified") {
  const Formulation hard{Rescaling::slack, 1, infinity};
  int asked = 0;
  // No output reaches h = 1 of the truth: the best has h = 0.9.
  const LossWeightSearch satisfied = exact_search(hard, {{{-0.1, 1}, {-3, 2}, {0, 0}}}, asked);
  CHECK(satisfied.best() == doctest::Approx(0.9));
  CHECK(satisfied.bound() == 1);
  CHECK_FALSE(satisfied.closed());
  const LossWeightSearch violated = exact_search(hard, {{{0.5, 1}, {-3, 2}, {0, 0}}}, asked);
  CHECK(violated.best() == 1.5);
  CHECK(violated.bound() == 1.5);
  CHECK(violated.closed());
  CHECK(asked == 1);
}
