// Planes, joint planes and sums of truths of examples with weights, and weights that are refused.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/problem/expectation_problem.hpp"
#include "core/problem/training_refusal.hpp"
#include "core/problem/weighted_plan.hpp"
#include "problem/sources/problem_ports.hpp"
#include "solver/solver.hpp"

using namespace sculpt::core;

namespace {

// The factor of the planes of an example, by its definition.
double factor_of(double weight, const Formulation& formulation) {
  if (std::isinf(formulation.C)) return weight > 0 ? 1 : 0;
  return formulation.slack_norm == 2 ? std::sqrt(weight) : weight;
}

std::vector<double> weights_with_zeros(std::size_t count) {
  std::vector<double> weights = random_example_weights(count, 0.1, 10, 5);
  for (std::size_t i = 0; i < count; i += 4) weights[i] = 0;
  return weights;
}

// The refusal of four training examples with these weights.
Refusal refusal_of_weights(const std::vector<double>& weights) {
  toy_plan() = weighted_toy({1, 1, 1, 1}, 2);
  toy_plan().weights = weights;
  return training_refusal(toy_spec(toy_oracle(), Formulation()));
}

}  // namespace

TEST_CASE("threads: planes and bounds are those without weights, times the factor of the example") {
  for (const Formulation& formulation : all_formulations()) {
    CAPTURE(formulation.slack_norm);
    CAPTURE(formulation.C);
    toy_plan() = weighted_toy(weights_with_zeros(60), 3);
    const std::vector<double> weights = toy_plan().weights;
    const Vector w = random_weights(3);
    const auto weighted = separate_all(toy_oracle(), 2, w, formulation);
    toy_plan().weights.clear();
    const auto plain = separate_all(toy_oracle(), 2, w, formulation);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      CAPTURE(i);
      const double factor = factor_of(weights[i], formulation);
      CHECK(weighted[i].low == doctest::Approx(factor * plain[i].low).epsilon(1e-12));
      CHECK(weighted[i].high == doctest::Approx(factor * plain[i].high).epsilon(1e-12));
      CHECK(weighted[i].high >= weighted[i].low);
      CHECK(weighted[i].rounding == doctest::Approx(factor * plain[i].rounding).epsilon(1e-12));
      CHECK(weighted[i].magnitude == doctest::Approx(factor * plain[i].magnitude).epsilon(1e-12));
      CHECK(weighted[i].plane.b == doctest::Approx(factor * plain[i].plane.b).epsilon(1e-12));
      if (factor == 0) {
        CHECK(weighted[i].plane.a.index.empty());
        CHECK_FALSE(weighted[i].no_output);
        continue;
      }
      REQUIRE(weighted[i].plane.a.index == plain[i].plane.a.index);
      CHECK(weighted[i].output_hash == plain[i].output_hash);
      for (std::size_t k = 0; k < plain[i].plane.a.value.size(); ++k) {
        CHECK(weighted[i].plane.a.value[k] ==
              doctest::Approx(factor * plain[i].plane.a.value[k]).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("threads: the joint plane of weighted examples is the mean of c_i times their planes") {
  for (const int norm : {1, 2}) {
    CAPTURE(norm);
    const Formulation formulation{Rescaling::margin, norm, 1};
    toy_plan() = weighted_toy(weights_with_zeros(50), 4);
    const Vector w = random_weights(4);
    const JointSeparation joint = joint_of(toy_oracle(), 2, w, formulation,
                                           norm == 2 ? JointWeight::slack : JointWeight::one);
    Vector a(toy_weight_count, 0.0);
    double b = 0;
    for (std::size_t i = 0; i < toy_plan().training.size(); ++i) {
      const auto planes = all_planes(toy_plan().training[i], w, formulation);
      const auto worst =
          std::max_element(planes.begin(), planes.end(),
                           [](const auto& x, const auto& y) { return x.violation < y.violation; });
      if (worst->violation <= 0) continue;
      const double share =
          toy_plan().weights[i] * (norm == 2 ? worst->violation : 1) / 50;  // c_i xi_i / n
      for (const auto& [index, value] : worst->a)
        a[static_cast<std::size_t>(index)] += share * value;
      b += share * worst->b;
    }
    for (std::size_t j = 0; j < a.size(); ++j) {
      CHECK(joint.a[j] == doctest::Approx(a[j]).epsilon(1e-10));
    }
    CHECK(joint.b == doctest::Approx(b).epsilon(1e-12));
    CHECK(b > 0.1);
  }
}

TEST_CASE("planes of a pass with a loss_weight have the weight itself as factor, in every norm") {
  for (const int norm : {1, 2}) {
    toy_plan() = weighted_toy({4, 0.25, 0, 3}, 8);
    Problem problem(toy_spec(toy_oracle(), Formulation{Rescaling::margin, norm, 1}),
                    Purpose::training, 1, {});
    ProblemPlanes source(problem, 5);
    Pass pass(1);
    pass.loss_weight = 1;
    std::vector<Separation> weighted;
    const Vector w = random_weights(7);
    source.separate(w, first(4), pass, weighted);
    int violated = 0;
    for (std::size_t i = 0; i < weighted.size(); ++i) {
      const double largest = largest_violation(
          all_planes(toy_plan().training[i], w, Formulation{Rescaling::margin, 1, 1}));
      CHECK(weighted[i].low == doctest::Approx(toy_plan().weights[i] * largest).epsilon(1e-12));
      violated += weighted[i].low > 0 ? 1 : 0;
    }
    CHECK(violated > 1);
  }
}

TEST_CASE("the next best planes have the weight, too") {
  toy_plan() = weighted_toy({2.5, 0.5, 3}, 9);
  const Vector w = random_weights(9);
  const auto next_best = [&] {
    Problem problem(toy_spec(toy_map_solver(), Formulation()), Purpose::training, 1, {});
    ProblemPlanes source(problem, 5);
    Pass pass(1);
    pass.next_best_count = 3;
    std::vector<Separation> all;
    source.separate(w, first(3), pass, all);
    return all;
  };
  const auto weighted = next_best();
  const std::vector<double> weights = toy_plan().weights;
  toy_plan().weights.clear();
  const auto plain = next_best();
  std::size_t count = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    REQUIRE(weighted[i].next_best.size() == plain[i].next_best.size());
    for (std::size_t k = 0; k < plain[i].next_best.size(); ++k, ++count) {
      const NextBestPlane& plane = weighted[i].next_best[k];
      CHECK(plane.low == doctest::Approx(weights[i] * plain[i].next_best[k].low).epsilon(1e-12));
      CHECK(plane.low == doctest::Approx(plane.plane.b - dot(plane.plane.a, w)).epsilon(1e-12));
    }
  }
  CHECK(count > 0);
}

TEST_CASE("the oracle is not asked about examples of weight 0, and no call is counted for them") {
  toy_plan() = weighted_toy({1, 0, 2, 0, 0}, 3);
  std::vector<std::int64_t> asked;
  toy_plan().change_answer = [&](const sculpt_query& query, sculpt_answer&) {
    asked.push_back(query.example);
  };
  Problem problem(toy_spec(toy_oracle(), Formulation()), Purpose::training, 1, {});
  ProblemPlanes source(problem, 5);
  std::vector<Separation> all;
  source.separate(random_weights(3), first(5), 1, all);
  CHECK(asked == std::vector<std::int64_t>{0, 2});
  CHECK(source.extra_oracle_calls() == -3);  // the caller counts 5
  for (const std::size_t i : {1U, 3U, 4U}) {
    CHECK(all[i].low == 0);
    CHECK(all[i].high == 0);
    CHECK_FALSE(all[i].no_output);
  }
  toy_plan() = {};
}

// The first oracle of the list makes no promise, so the second is asked unless the first is enough.
TEST_CASE("stop_escalating_above is about planes with their weights") {
  const auto escalates = [](double weight, double stop_above) {
    toy_plan() = three_positions();
    toy_plan().weights = {weight};
    toy_plan().change_answer = [](const sculpt_query&, sculpt_answer& answer) { answer.flags = 0; };
    toy_plan().loss_of_counts = nullptr;
    toy_plan().loss_splits = true;
    ProblemSpec spec = toy_spec(toy_oracle(), Formulation());
    spec.oracles.emplace_back().description = &toy_parallel_oracle();
    Problem problem(spec, Purpose::training, 1, {});
    ProblemPlanes source(problem, 5);
    Pass pass(1);
    pass.stop_escalating_above = [stop_above](std::int64_t) { return stop_above; };
    std::vector<Separation> all;
    source.separate(zero_weights(), first(1), pass, all);
    CHECK(all[0].low == 3 * weight);
    toy_plan() = {};
    return all[0].escalated;
  };
  CHECK_FALSE(escalates(1, 2.5));
  CHECK(escalates(1, 3.5));
  CHECK(escalates(0.5, 2.5));
  CHECK_FALSE(escalates(0.5, 1.4));
  CHECK_FALSE(escalates(2, 5.5));
  CHECK(escalates(2, 6.5));
}

TEST_CASE("sums of truths have the weights") {
  toy_plan() = weighted_toy({2, 0, 0.5, 3}, 6);
  Problem problem(toy_spec(toy_oracle(), Formulation()), Purpose::training, 1, {});
  ProblemPorts ports(problem, 1);
  Vector sum(toy_weight_count, 0.0);
  ports.ports().counts->sum_all_truths(sum);
  Vector expected(toy_weight_count, 0.0);
  for (std::size_t i = 0; i < 4; ++i) {
    const ToyExample& example = toy_plan().training[i];
    toy::for_each_feature(example.observations, example.truth.data(), [&](std::int32_t index) {
      expected[static_cast<std::size_t>(index)] += toy_plan().weights[i];
    });
  }
  CHECK(sum == expected);
}

TEST_CASE("weights belong to the examples that training uses, not to those held out") {
  toy_plan() = weighted_toy({1, 2, 3, 4, 5, 6}, 6);
  ProblemSpec spec = toy_spec(toy_oracle(), Formulation());
  spec.hold_out = HoldOut{3, 1, 0, 0, "", ""};
  Problem problem(spec, Purpose::training, 1, {});
  REQUIRE(problem.training().size() == 4);
  REQUIRE(problem.example_weights().size() == 4);
  for (std::int64_t k = 0; k < 4; ++k) {
    CHECK(problem.example_weights()[static_cast<std::size_t>(k)] ==
          static_cast<double>(problem.training()[k] + 1));
  }
  CHECK(problem.domain().is_weighted);
}

TEST_CASE(
    "weights that are negative, not finite, too large or all 0 are refused with the example") {
  CHECK(refusal_of_weights({1, 2, 0, 1e50}).exit == Exit::reached);
  const auto refused = [](const std::vector<double>& weights, const std::string& text) {
    const Refusal refusal = refusal_of_weights(weights);
    CHECK(refusal.exit == Exit::data);
    CHECK_MESSAGE(refusal.says(text), refusal.text);
  };
  refused({1, 2, -0.5, 1},
          "chains: example 2: its weight is -0.5; weights of examples are numbers");
  refused({1, INFINITY, 1, 1}, "chains: example 1: its weight is not a finite number");
  refused({NAN, 1, 1, 1}, "chains: example 0: its weight is not a finite number");
  refused({1, 1, 1}, "chains: example 3: its weight is not a finite number");  // not written
  refused({1, 1, 1, 2e50}, "chains: example 3: its weight is 2e+50");
  refused({0, 0, 0, 0}, "chains: the weights of all 4 training examples are 0; give some");
}

TEST_CASE("no weights are read for prediction, and weights that are all 1 are dropped") {
  toy_plan() = weighted_toy({-1, 1}, 2);
  toy_plan().prediction = toy_plan().training;
  CHECK(refusal_of([] {
          Problem(toy_spec(toy_oracle(), "predict"), Purpose::prediction, 1, {});
        }).exit == Exit::reached);
  toy_plan().weights = {1, 1};
  Problem problem(toy_spec(toy_oracle(), Formulation()), Purpose::training, 1, {});
  CHECK(problem.example_weights().empty());
  CHECK_FALSE(problem.domain().is_weighted);
}

TEST_CASE("threads: expectations and covariances of all examples have the weights") {
  for (const int threads : {1, 3}) {
    plan_expectations();
    Vector w = zero_weights();
    w[3] = 0.7;
    const Vector v(toy_weight_count, 0.5);
    const auto means_of = [&](std::vector<double> weights, Vector& mean, Vector& covariance) {
      toy_plan().weights = std::move(weights);
      Problem problem(toy_spec(toy_oracle(), Formulation()), Purpose::training, threads, {});
      ProblemPorts ports(problem, 1);
      MeanExpectation out;
      ports.ports().expectations->compute_mean_expectation(w, Pass(1), out);
      ports.ports().expectations->covariance_times(w, v, Pass(1), covariance);
      mean = out.mean;
      return out.log_z;
    };
    Vector first[2];
    Vector second[2];
    Vector both[2];
    const std::vector<double> log_z_first = means_of({1, 0}, first[0], first[1]);
    const std::vector<double> log_z_second = means_of({0, 1}, second[0], second[1]);
    const std::vector<double> log_z = means_of({3, 0.5}, both[0], both[1]);
    CHECK(log_z_first[1] == 0);  // not asked
    CHECK(log_z == std::vector{log_z_first[0], log_z_second[1]});
    for (const int k : {0, 1}) {
      for (std::size_t j = 0; j < w.size(); ++j) {
        CHECK(both[k][j] == doctest::Approx(3 * first[k][j] + 0.5 * second[k][j]));
      }
    }
    toy_plan() = {};
  }
}

TEST_CASE("threads: an example of weight 0 has no answer, so none that is inexact") {
  toy_plan() = weighted_toy(weights_with_zeros(60), 3);
  toy_plan().change_answer = [](const sculpt_query&, sculpt_answer& answer) { answer.flags = 0; };
  for (const int threads : {1, 3}) {
    CAPTURE(threads);
    Problem problem(toy_spec(toy_oracle(), Formulation()), Purpose::training, threads, {});
    ProblemPlanes source(problem, 1);
    JointSeparation joint;
    source.separate_jointly(random_weights(3), Pass(1), JointWeight::one, joint);
    CHECK(joint.counts.inexact_count == 45);
  }
}
