// separation.hpp - separates all examples of a toy problem.
//
// Called by the tests of the oracles, of ProblemPlanes and of whole runs.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "base/infinity.hpp"
#include "core/problem/toy.hpp"
#include "core/refusal.hpp"
#include "problem/sources/problem_planes.hpp"

namespace sculpt::core {

inline constexpr std::int64_t unlimited = INT64_MAX;  // of a count of the loss
inline constexpr Formulation slack_rescaling{Rescaling::slack, 1, 1};

inline const std::vector<Formulation>& all_formulations() {
  static const std::vector<Formulation> all = {
      {Rescaling::margin, 1, 1},        {Rescaling::margin, 2, 1},
      {Rescaling::slack, 1, 1},         {Rescaling::slack, 2, 1},
      {Rescaling::margin, 1, infinity}, {Rescaling::margin, 2, infinity},
      {Rescaling::slack, 1, infinity},  {Rescaling::slack, 2, infinity}};
  return all;
}

inline Vector random_weights(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector w(toy_weight_count);
  for (double& weight : w) weight = normal(random);
  return w;
}

inline std::vector<std::int64_t> first(std::int64_t count) {
  std::vector<std::int64_t> examples;
  for (std::int64_t i = 0; i < count; ++i) examples.push_back(i);
  return examples;
}

inline ProblemSpec toy_spec(const sculpt_component& oracle, const Formulation& formulation) {
  ProblemSpec spec = toy_spec(oracle);
  spec.formulation = formulation;
  return spec;
}

inline std::vector<Separation> separate_all(const sculpt_component& oracle, int threads,
                                            const Vector& w, const Formulation& formulation = {}) {
  Problem problem(toy_spec(oracle, formulation), Purpose::training, threads, {});
  ProblemPlanes source(problem, 5);
  std::vector<Separation> all;
  source.separate(w, first(source.example_count()), 1, all);
  return all;
}

inline JointSeparation joint_of(const sculpt_component& oracle, int threads, const Vector& w,
                                const Formulation& formulation = {},
                                JointWeight weight = JointWeight::one) {
  Problem problem(toy_spec(oracle, formulation), Purpose::training, threads, {});
  ProblemPlanes source(problem, 5);
  JointSeparation joint;
  source.separate_jointly(w, 1, weight, joint);
  return joint;
}

template <class Numbers>
bool same_bytes(const Numbers& a, const Numbers& b) {
  if (a.empty()) return b.empty();
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

// True if two lists of separations are equal, bit by bit.
inline bool same(const std::vector<Separation>& a, const std::vector<Separation>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].output_hash != b[i].output_hash || a[i].plane.a.index != b[i].plane.a.index ||
        !same_bytes(a[i].plane.a.value, b[i].plane.a.value) || a[i].plane.b != b[i].plane.b ||
        std::memcmp(&a[i].low, &b[i].low, sizeof a[i].low) != 0 || a[i].high != b[i].high) {
      return false;
    }
  }
  return true;
}

// Separates one example of three positions at w, after `change` has changed the answer.
inline Separation separate_changed(std::function<void(sculpt_answer&)> change, const Vector& w) {
  toy_plan() = {};
  toy_plan().training = {{{0, 1, 2}, {0, 1, 2}}};
  toy_plan().change_answer = [&](const sculpt_query&, sculpt_answer& answer) { change(answer); };
  return separate_all(toy_oracle(), 1, w).front();
}
inline Refusal changed_answer_refusal(std::function<void(sculpt_answer&)> change) {
  return refusal_of([&] { separate_changed(change, zero_weights()); });
}

}  // namespace sculpt::core
