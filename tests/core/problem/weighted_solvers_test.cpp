// Runs of all solvers with a dual on examples with weights, against the objective by its definition
// and against solvers that share no code with them.

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/problem/weighted_plan.hpp"
#include "core/solver/least_distance.hpp"
#include "core/solver/listed_problem.hpp"
#include "core/solver/projected_gradient.hpp"
#include "solver/frank_wolfe/frank_wolfe.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"

using namespace sculpt::core;

namespace {

enum class Variant { n_slack, n_slack_in_batches, one_slack, one_slack_without_cache, frank_wolfe };

std::unique_ptr<Solver> solver_of(Variant variant, const Formulation& formulation,
                                  const StopOptions& stop) {
  const auto make = [&](auto solver, auto options) -> std::unique_ptr<Solver> {
    options.formulation = formulation;
    options.stop = stop;
    return std::make_unique<typename decltype(solver)::type>(options);
  };
  NSlackOptions n_slack;
  n_slack.batch = variant == Variant::n_slack ? 0 : 3;
  OneSlackOptions one_slack;
  one_slack.cache = variant == Variant::one_slack ? 5 : 0;
  FrankWolfeOptions frank_wolfe;
  switch (variant) {
    case Variant::n_slack:
    case Variant::n_slack_in_batches:
      return make(std::type_identity<NSlack>(), n_slack);
    case Variant::one_slack:
    case Variant::one_slack_without_cache:
      return make(std::type_identity<OneSlack>(), one_slack);
    default:
      return make(std::type_identity<FrankWolfe>(), frank_wolfe);
  }
}

// The variants that support the formulation.
std::vector<Variant> variants_for(const Formulation& formulation) {
  std::vector<Variant> all = {Variant::n_slack, Variant::n_slack_in_batches, Variant::one_slack,
                              Variant::one_slack_without_cache};
  if (formulation.is_hard_margin()) return all;
  all.push_back(Variant::frank_wolfe);
  return all;
}

StopOptions within(double relative_gap) {
  StopOptions stop;
  stop.relative_gap = relative_gap;
  return stop;
}

struct Trained {
  Result result;
  std::vector<PassReport> reports;
};

// Planes whose examples have the weight 1 by name. A Problem drops weights that are all 1.
class NamedOnes : public ProblemPlanes {
 public:
  explicit NamedOnes(Problem& problem)
      : ProblemPlanes(problem, 1), ones_(static_cast<std::size_t>(example_count()), 1.0) {}
  std::span<const double> example_weights() const override { return ones_; }

 private:
  std::vector<double> ones_;
};

template <class Source, class... Arguments>
Trained train_source(Variant variant, const Formulation& formulation, const StopOptions& stop,
                     int threads, Arguments... arguments) {
  Problem problem(toy_spec(toy_oracle(), formulation), Purpose::training, threads, {});
  Source source(problem, arguments...);
  test::Recorder recorder;
  Result result = solver_of(variant, formulation, stop)->solve(source, recorder, {});
  return {std::move(result), std::move(recorder.reports)};
}

Trained train_variant(Variant variant, const Formulation& formulation, const StopOptions& stop,
                      int threads = 2) {
  return train_source<ProblemPlanes>(variant, formulation, stop, threads, std::uint64_t{1});
}

// ReferenceBounds of the optimum of the current plan, from solvers that get all planes without
// weights. Their costs have the weights: the cap C c_i / n of a block, or one more coordinate for
// each slack. There sqrt(n / (C c_i)) times the slack is a weight like any other.
struct ReferenceBounds {
  double primal;
  double dual;
};

ReferenceBounds reference(const Formulation& formulation) {
  const ToyPlan& plan = toy_plan();
  const double price = formulation.C / static_cast<double>(plan.training.size());
  const bool adds_coordinates = formulation.squares_slacks();
  std::vector<std::vector<Plane>> blocks;
  std::vector<double> caps;
  for (std::size_t i = 0; i < plan.training.size(); ++i) {
    if (plan.weights[i] == 0) continue;
    caps.push_back(price * plan.weights[i]);
    std::vector<Plane>& block = blocks.emplace_back();
    for (const ListedPlane& listed : all_planes(plan.training[i], zero_weights(), formulation)) {
      Plane& plane = block.emplace_back();
      plane.b = listed.b;
      for (const auto& [index, value] : listed.a) {
        plane.a.index.push_back(index);
        plane.a.value.push_back(value);
      }
      if (!adds_coordinates || listed.b == 0) continue;
      plane.a.index.push_back(static_cast<std::int32_t>(toy_weight_count + blocks.size() - 1));
      plane.a.value.push_back(1 / std::sqrt(caps.back()));
    }
  }
  if (!formulation.is_hard_margin() && formulation.slack_norm == 1) {
    const auto found = test::solve_by_projected_gradient(blocks, toy_weight_count, caps);
    return {found.primal, found.dual};
  }
  const std::size_t coordinates = adds_coordinates ? blocks.size() : 0;
  const auto found = test::solve_least_distance(blocks, toy_weight_count + coordinates, 0, {});
  REQUIRE(found.has_value());
  return {found->primal, found->dual};
}

void check_optimum(const Result& result, const Formulation& formulation,
                   const ReferenceBounds& optimum) {
  CHECK(result.reached);
  CHECK(result.certified);
  CHECK(result.primal == doctest::Approx(optimum.primal).epsilon(2e-6));
  CHECK(result.dual == doctest::Approx(optimum.dual).epsilon(2e-6));
  CHECK(result.dual <= optimum.primal * (1 + 1e-9));
  CHECK(result.primal >= optimum.dual * (1 - 1e-9));
  if (formulation.is_hard_margin()) return;
  CHECK(result.primal == doctest::Approx(weighted_primal(result.w, formulation)).epsilon(1e-10));
}

std::vector<Formulation> formulations_with(double C) {
  return {{Rescaling::margin, 1, C},
          {Rescaling::margin, 2, C},
          {Rescaling::slack, 1, C},
          {Rescaling::slack, 2, C}};
}

}  // namespace

TEST_CASE("threads: with weights of examples all solvers reach the optimum that references find") {
  const std::vector<double> some_are_0 = {0, 1, 2.5, 0.3, 7, 1, 0, 0.01, 3, 1.5, 0.7, 4};
  for (const Formulation& formulation : formulations_with(2)) {
    toy_plan() = weighted_toy(some_are_0, 6);
    const ReferenceBounds optimum = reference(formulation);
    REQUIRE(optimum.primal > 0.1);
    for (const Variant variant : variants_for(formulation)) {
      CAPTURE(static_cast<int>(variant));
      CAPTURE(static_cast<int>(formulation.rescaling));
      CAPTURE(formulation.slack_norm);
      check_optimum(train_variant(variant, formulation, within(1e-6)).result, formulation, optimum);
    }
  }
}

TEST_CASE("threads: a whole weight is as many copies of the example, if C/n stays the same") {
  const std::vector<double> copies = {2, 0, 1, 3, 1, 1, 5, 0, 2, 4};
  for (const Formulation& formulation : formulations_with(3)) {
    for (const Variant variant : variants_for(formulation)) {
      CAPTURE(static_cast<int>(variant));
      CAPTURE(static_cast<int>(formulation.rescaling));
      CAPTURE(formulation.slack_norm);
      toy_plan() = weighted_toy(copies, 9);
      const Result weighted = train_variant(variant, formulation, within(1e-7)).result;
      Formulation same_price = formulation;
      same_price.C *=
          std::accumulate(copies.begin(), copies.end(), 0.0) / static_cast<double>(copies.size());
      toy_plan() = repeated(toy_plan());
      REQUIRE(toy_plan().training.size() == 19);
      const Result listed = train_variant(variant, same_price, within(1e-7)).result;
      CHECK(weighted.certified);
      CHECK(weighted.primal == doctest::Approx(listed.primal).epsilon(2e-7));
      CHECK(weighted.dual == doctest::Approx(listed.dual).epsilon(2e-7));
      // P is strongly convex: 1/2 ||w - w*||^2 <= P(w) - P*, for both runs.
      double squared_distance = 0;
      for (std::size_t j = 0; j < weighted.w.size(); ++j) {
        squared_distance += std::pow(weighted.w[j] - listed.w[j], 2);
      }
      CHECK(squared_distance <= 8 * (weighted.gap + listed.gap) + 1e-12);
    }
  }
}

TEST_CASE("threads: weights from 1e-6 to 1e6 leave the runs certified at the optimum") {
  for (const Formulation& formulation : formulations_with(1e-4)) {
    toy_plan() = weighted_toy(random_example_weights(15, 1e-6, 1e6, 3), 3);
    for (const Variant variant : variants_for(formulation)) {
      CAPTURE(static_cast<int>(variant));
      CAPTURE(static_cast<int>(formulation.rescaling));
      CAPTURE(formulation.slack_norm);
      const Result result = train_variant(variant, formulation, within(1e-6)).result;
      CHECK(result.certified);
      CHECK(result.reached);
      CHECK(result.primal ==
            doctest::Approx(weighted_primal(result.w, formulation)).epsilon(1e-10));
      if (formulation.slack_norm == 2) check_optimum(result, formulation, reference(formulation));
    }
  }
}

TEST_CASE("threads: a hard margin leaves out examples of weight 0 and ignores all other weights") {
  // Emissions separate all examples but 2 and 3, which contradict each other.
  toy_plan() = {};
  toy_plan().training = {{{0}, {0}}, {{1}, {1}}, {{3}, {0}}, {{3}, {2}}, {{0, 1}, {0, 1}}};
  toy_plan().offers_frontier = true;
  toy_plan().counts = {{"errors", INT64_MAX, 0, 0}};
  for (const Formulation& formulation : formulations_with(infinity)) {
    for (const Variant variant : variants_for(formulation)) {
      CAPTURE(static_cast<int>(variant));
      toy_plan().weights = {2, 0.5, 1, 0, 1e-3};
      check_optimum(train_variant(variant, formulation, within(1e-6)).result, formulation,
                    reference(formulation));
      toy_plan().weights[3] = 1e-3;
      const Refusal refusal =
          refusal_of([&] { train_variant(variant, formulation, within(1e-6)); });
      CHECK(refusal.exit == Exit::data);
      CHECK(refusal.says("chains: examples 2, 3: contradict each other"));
    }
  }
}

TEST_CASE("threads: with weights one and two threads give the same bytes") {
  for (const Formulation& formulation : formulations_with(5)) {
    toy_plan() = weighted_toy(random_example_weights(40, 0.1, 10, 8), 8);
    for (const Variant variant : variants_for(formulation)) {
      const Trained one = train_variant(variant, formulation, within(1e-4), 1);
      const Trained two = train_variant(variant, formulation, within(1e-4), 2);
      CHECK(same_bytes(one.result.w, two.result.w));
      CHECK(one.result.oracle_calls == two.result.oracle_calls);
    }
  }
}

TEST_CASE("a problem drops weights that are all 1") {
  toy_plan() = weighted_toy(std::vector<double>(20, 1), 4);
  const ProblemSpec spec = toy_spec(toy_oracle(), formulations_with(5).front());
  CHECK(Problem(spec, Purpose::training, 1, {}).example_weights().empty());
  toy_plan().weights[7] = 0.5;
  CHECK(Problem(spec, Purpose::training, 1, {}).example_weights().size() == 20);
}

TEST_CASE("solvers that see weights of 1 give the same bytes as without weights") {
  for (const Formulation& formulation : formulations_with(5)) {
    for (const Variant variant : variants_for(formulation)) {
      toy_plan() = weighted_toy(std::vector<double>(20, 1), 4);
      const Trained with = train_source<NamedOnes>(variant, formulation, within(1e-4), 2);
      const Trained without = train_variant(variant, formulation, within(1e-4));
      CHECK(same_bytes(with.result.w, without.result.w));
      CHECK(with.reports.size() == without.reports.size());
      CHECK(with.result.dual == without.result.dual);
    }
  }
}

// Planes times 4 and alpha times 1/4 are exact in binary. Slack norm 2 multiplies planes by 2.
TEST_CASE("weights that are all 4 give the same bytes as C times 4, also with epsilon") {
  for (const double epsilon : {0.0, 0.05}) {
    for (const Formulation& formulation : formulations_with(2)) {
      for (const Variant variant : variants_for(formulation)) {
        CAPTURE(static_cast<int>(variant));
        CAPTURE(static_cast<int>(formulation.rescaling));
        CAPTURE(formulation.slack_norm);
        CAPTURE(epsilon);
        const bool is_joint =
            variant == Variant::one_slack || variant == Variant::one_slack_without_cache;
        StopOptions stop = within(1e-4);
        if (epsilon > 0) {
          stop.relative_gap = 0;
          stop.epsilon = epsilon;
        }
        Formulation times_4 = formulation;
        times_4.C *= 4;
        toy_plan() = weighted_toy(std::vector<double>(20, 4), 4);
        toy_plan().weights.clear();
        const Trained unweighted = train_variant(variant, times_4, stop);
        // The slack of one_slack is the mean with weights, so epsilon is 4 times as large.
        if (is_joint && epsilon > 0) stop.epsilon = 4 * epsilon;
        toy_plan().weights.assign(20, 4);
        const Trained weighted = train_variant(variant, formulation, stop);
        CHECK(same_bytes(weighted.result.w, unweighted.result.w));
        CHECK(weighted.reports.size() == unweighted.reports.size());
        CHECK(weighted.result.stopped_by == unweighted.result.stopped_by);
        if (epsilon > 0) CHECK(weighted.result.stopped_by == StoppedBy::epsilon);
      }
    }
  }
}

TEST_CASE("epsilon bounds the gap by C times epsilon times the mean weight") {
  constexpr double epsilon = 0.1;
  StopOptions stop = within(0);
  stop.epsilon = epsilon;
  const Formulation formulation{Rescaling::margin, 1, 4};
  for (const double scale : {0.01, 1.0, 100.0}) {
    std::vector<double> weights = random_example_weights(25, 0.1 * scale, 10 * scale, 2);
    toy_plan() = weighted_toy(weights, 2);
    const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / 25;
    for (const Variant variant : {Variant::n_slack, Variant::n_slack_in_batches}) {
      const Result result = train_variant(variant, formulation, stop).result;
      CHECK(result.stopped_by == StoppedBy::epsilon);
      CHECK(result.primal - result.dual <= formulation.C * epsilon * mean * (1 + 1e-9));
    }
  }
}

TEST_CASE("the reported mean slack is the mean of the slacks times the weights") {
  for (const Formulation& formulation : formulations_with(3)) {
    toy_plan() = weighted_toy({0, 1, 2.5, 0.3, 7, 1, 0.01, 3}, 5);
    for (const Variant variant : {Variant::n_slack, Variant::one_slack_without_cache}) {
      CAPTURE(formulation.slack_norm);
      const Trained trained = train_variant(variant, formulation, within(1e-5));
      const auto best = std::find_if(
          trained.reports.begin(), trained.reports.end(),
          [&](const PassReport& report) { return report.primal_high == trained.result.primal; });
      REQUIRE(best != trained.reports.end());
      const std::vector<double> slacks = slacks_at(trained.result.w, formulation);
      const double sum =
          std::inner_product(slacks.begin(), slacks.end(), toy_plan().weights.begin(), 0.0);
      CHECK(best->mean_slack == doctest::Approx(sum / 8).epsilon(1e-6));
    }
  }
}
