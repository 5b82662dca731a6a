// An oracle is refused only for a difference that no order of summation explains.

#include <doctest/doctest.h>

#include <cmath>

#include "core/problem/separation.hpp"
#include "core/problem/toy_parts.hpp"
#include "linalg/products.hpp"
#include "linalg/rounding.hpp"

using namespace sculpt::core;

namespace {

std::vector<Formulation> finite_formulations() {
  std::vector<Formulation> all;
  for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
    for (const int norm : {1, 2}) all.push_back({rescaling, norm, 1.0});
  }
  return all;
}

// Chains of three positions each.
ToyPlan three_position_toy() {
  ToyPlan plan = random_toy(40, 3);
  for (ToyExample& example : plan.training) {
    example.observations.resize(3, 1);
    example.truth.resize(3, 2);
  }
  return plan;
}

// Weights at which the scores of three_position_toy() are about 1, although their terms are about
// `magnitude`.
Vector cancelling_weights(double magnitude, std::uint64_t seed) {
  Vector w = random_weights(seed);
  for (std::size_t j = 0; j < 12; ++j) w[j] += 2 * magnitude;  // three of observations
  for (std::size_t j = 12; j < toy_weight_count; ++j) w[j] -= 3 * magnitude;  // two of transitions
  return w;
}

// The sum of the absolute terms of an answer's value, and their number.
Terms terms_of(const sculpt_query& query, const sculpt_answer& answer) {
  const ToyExample& example = toy_plan().training[static_cast<std::size_t>(query.example)];
  Terms terms{0, static_cast<double>(example.observations.size())};
  toy::for_each_feature(example.observations, answer.labels.data, [&](std::int32_t index) {
    terms += {std::abs(query.weights.data[index]), 1};
  });
  return terms;
}

// A plan that changes each value and bound by a fraction of its terms.
ToyPlan changed_values(double fraction, std::uint32_t flags, bool by_count) {
  ToyPlan plan = three_position_toy();
  plan.change_answer = [=](const sculpt_query& query, sculpt_answer& answer) {
    const Terms terms = terms_of(query, answer);
    answer.value += fraction * terms.magnitude * (by_count ? terms.count : 1);
    answer.bound = answer.value;
    answer.flags = flags;
  };
  return plan;
}

// A plan whose bounds lie below the values by a fraction of their terms. The values are correct.
ToyPlan low_bounds(double fraction) {
  ToyPlan plan = three_position_toy();
  plan.change_answer = [=](const sculpt_query& query, sculpt_answer& answer) {
    answer.bound = answer.value - fraction * terms_of(query, answer).magnitude;
    answer.flags = SCULPT_ANSWER_BOUND;
  };
  return plan;
}

}  // namespace

TEST_CASE("the rounding of a sum depends only on its terms and their number") {
  CHECK(Terms{}.rounding() == 0);
  CHECK(Terms{3, 5}.rounding() == 8 * 0x1p-53 * 15);
  // A product below the least normal number may be wrong by that number, whatever its size.
  CHECK(Terms{1e-310, 5}.rounding() >= 40 * 2.2e-308);
  CHECK(Terms{1e-310, 5}.rounding() < 1e-305);
  Terms both{3, 5};
  both += {1e9, 2};
  CHECK(both.magnitude == 1e9 + 3);
  CHECK(both.count == 7);
  CHECK(absolute_dot(SparseVector{{0, 2}, {-2, 3}}, Vector{4, 9, -5}) == 23);
}

TEST_CASE("an answer summed in another order is accepted at any weights under every formulation") {
  for (const std::uint32_t flags : {std::uint32_t{SCULPT_ANSWER_EXACT},
                                    SCULPT_ANSWER_EXACT | std::uint32_t{SCULPT_ANSWER_BOUND}}) {
    for (const double fraction : {-2 * unit_roundoff, 2 * unit_roundoff}) {
      toy_plan() = changed_values(fraction, flags, true);
      for (const Formulation& formulation : finite_formulations()) {
        for (const double size : {0.0, 1e3, 1e6, 1e9, 1e12}) {
          CAPTURE(size);
          CHECK_NOTHROW(separate_all(toy_oracle(), 1, cancelling_weights(size, 4), formulation));
        }
      }
    }
  }
}

TEST_CASE("a value that is wrong by 1e-7 of its terms is refused if the terms cancel") {
  for (const std::uint32_t flags :
       {std::uint32_t{SCULPT_ANSWER_EXACT}, std::uint32_t{SCULPT_ANSWER_BOUND}}) {
    for (const Formulation& formulation : finite_formulations()) {
      toy_plan() = changed_values(1e-7, flags, false);
      const Refusal refusal = refusal_of(
          [&] { separate_all(toy_oracle(), 1, cancelling_weights(1e3, 4), formulation); });
      CHECK(refusal.exit == Exit::plugin);
      CHECK(refusal.says("the value of its answer is"));
    }
  }
}

TEST_CASE("a bound below the value by 1e-7 of the terms is refused if the terms cancel") {
  for (const Formulation& formulation : finite_formulations()) {
    toy_plan() = low_bounds(1e-7);
    const Refusal refusal =
        refusal_of([&] { separate_all(toy_oracle(), 1, cancelling_weights(1e3, 4), formulation); });
    CHECK(refusal.exit == Exit::plugin);
    CHECK(refusal.says("is smaller than the value of its answer"));
  }
}

TEST_CASE("the rounding of a separation is that of the terms of both outputs and the loss") {
  for (const Formulation& formulation : finite_formulations()) {
    for (const double size : {0.0, 1e6, 1e12}) {
      toy_plan() = three_position_toy();
      const Vector w = cancelling_weights(size, 5);
      for (const Separation& one : separate_all(toy_oracle(), 1, w, formulation)) {
        double least = 0;  // the terms of a are a part of them
        for (std::size_t k = 0; k < one.plane.a.index.size(); ++k) {
          least +=
              std::abs(one.plane.a.value[k] * w[static_cast<std::size_t>(one.plane.a.index[k])]);
        }
        CHECK(one.rounding >= unit_roundoff * (least + one.plane.b));
        CHECK(one.magnitude >= least);
        // 3 observations and 2 transitions of each output, and a loss of at most 3
        CHECK(one.rounding <= 8 * unit_roundoff * 50 * 3 * (10 * (3 * size + 4) + 3));
      }
    }
  }
}

TEST_CASE("at w = 0 the rounding is that of the loss alone, and is not 0") {
  toy_plan() = three_position_toy();
  for (const Separation& one : separate_all(toy_oracle(), 1, zero_weights())) {
    CHECK(one.rounding > 0);
    CHECK(one.rounding < 1e-13);
  }
}

TEST_CASE("a joint separation has the rounding of each example") {
  toy_plan() = three_position_toy();
  const Vector w = cancelling_weights(1e6, 6);
  const std::vector<Separation> all = separate_all(toy_oracle(), 1, w);
  const JointSeparation joint = joint_of(toy_oracle(), 2, w);
  REQUIRE(joint.rounding.size() == all.size());
  REQUIRE(joint.magnitude.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(joint.rounding[i] == all[i].rounding);
    CHECK(joint.magnitude[i] == (all[i].low > 0 ? all[i].magnitude : 0));
  }
}
