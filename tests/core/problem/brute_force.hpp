// brute_force.hpp - all outputs of a toy example with their planes, by the formulas of the papers.
//
// Called by the tests of the formulations. Shares no code with Formulation or the components.
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "core/problem/toy_parts.hpp"

namespace sculpt::core {

struct ListedPlane {
  toy::Labels output;
  std::map<std::int32_t, double> a;  // without zeros
  double b = 0;
  double violation = 0;     // b - <w, a>
  double argmax_value = 0;  // Delta - <w, dpsi>: argmax with loss_weight 1 maximizes it
};

// The planes of all outputs of `example`, including the truth unless the plan leaves it out.
inline std::vector<ListedPlane> all_planes(const ToyExample& example, const Vector& w,
                                           const Formulation& formulation) {
  const bool slack = formulation.rescaling == Rescaling::slack;
  std::vector<ListedPlane> planes;
  for (std::int64_t n = 0; n < toy::labelling_count(example.truth.size()); ++n) {
    const toy::Labels y = toy::labelling(n, example.truth.size());
    if (toy_plan().leaves_out_truth && y == example.truth) continue;
    const double loss = toy_loss_of(toy_counts(example.truth, y));
    const double delta = formulation.slack_norm == 2 ? std::sqrt(loss) : loss;
    double factor = slack ? delta : 1;
    ListedPlane plane{y, {}, delta, 0, loss};
    const auto score = [&plane, &w](double sign) {
      return [&plane, &w, sign](std::int32_t index) {
        plane.argmax_value += sign * w[static_cast<std::size_t>(index)];
      };
    };
    toy::for_each_feature(example.observations, example.truth.data(), score(-1));
    toy::for_each_feature(example.observations, y.data(), score(1));
    if (slack && std::isinf(formulation.C)) factor = plane.b = loss > 0 ? 1 : 0;
    const auto add = [&](double scale) {
      return [&plane, scale](std::int32_t index) { plane.a[index] += scale; };
    };
    toy::for_each_feature(example.observations, example.truth.data(), add(factor));
    toy::for_each_feature(example.observations, y.data(), add(-factor));
    plane.violation = plane.b;
    for (auto entry = plane.a.begin(); entry != plane.a.end();) {
      plane.violation -= w[static_cast<std::size_t>(entry->first)] * entry->second;
      entry = std::abs(entry->second) < 1e-12 ? plane.a.erase(entry) : std::next(entry);
    }
    planes.push_back(plane);
  }
  return planes;
}

// H_i, minus infinity if there is no output.
inline double largest_violation(const std::vector<ListedPlane>& planes) {
  double largest = -INFINITY;
  for (const ListedPlane& plane : planes) largest = std::max(largest, plane.violation);
  return largest;
}

}  // namespace sculpt::core
