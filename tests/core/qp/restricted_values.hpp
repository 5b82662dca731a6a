// restricted_values.hpp - P and D over the planes of a working set, computed by their definition.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "linalg/vector.hpp"
#include "qp/qp_solver.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core::test {

inline Vector dense(const SparseVector& x, std::size_t dimension) {
  Vector values(dimension, 0.0);
  for (std::size_t k = 0; k < x.index.size(); ++k) {
    values[static_cast<std::size_t>(x.index[k])] = x.value[k];
  }
  return values;
}

inline Vector times(double factor, Vector w) {
  for (double& weight : w) weight *= factor;
  return w;
}

// The w at which the restricted gap is P - D.
inline Vector evaluation_point_of(const QpSolver& qp_solver) {
  return qp_solver.evaluation_point();
}

// P at any w within the bounds. If slacks are forbidden, it is infinite if a plane is violated by
// more than 1e-9 of the largest b.
inline double primal_at(const WorkingSet& working_set, const Vector& w) {
  const SlackTerm& term = working_set.slack_term();
  const double satisfied = term.is_forbidden() ? 1e-9 * working_set.largest_b() : 0;
  double value = 0;
  for (const double x : w) value += 0.5 * x * x;
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const double slack = working_set.slack_of(i, w);
    if (slack <= satisfied) continue;
    value += term.is_forbidden() ? std::numeric_limits<double>::infinity()
             : term.is_linear()  ? term.cap * slack
                                 : 0.5 * slack * slack / term.ridge;
  }
  return value;
}

using Multipliers = std::vector<std::vector<double>>;  // [blocks][planes]

// D at any alpha. Checks that alpha is feasible, and ignores the alpha of zero planes. `bounds`:
// [dimension] 1 where w_j >= 0, or empty.
inline double dual_at(const WorkingSet& working_set, const Multipliers& alpha,
                      const std::vector<std::uint8_t>& bounds) {
  const SlackTerm& term = working_set.slack_term();
  Vector v(working_set.w().dense().size(), 0.0);
  double value = 0;
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const Block& block = working_set.block(i);
    const std::vector<double>& own = alpha[static_cast<std::size_t>(i)];
    double mass = 0;
    for (std::size_t p = 1; p < block.size(); ++p) {
      CHECK(own[p] >= 0);
      block.a[p].add_to(own[p], v);
      value += own[p] * block.b[p];
      mass += own[p];
    }
    CHECK(mass <= term.cap * (1 + 1e-14));
    value -= 0.5 * term.ridge * mass * mass;
  }
  for (std::size_t j = 0; j < v.size(); ++j) {
    const double w = !bounds.empty() && bounds[j] != 0 ? std::max(0.0, v[j]) : v[j];
    value -= 0.5 * w * w;
  }
  return value;
}

// D at the alpha of the working set.
inline double dual_of(const WorkingSet& working_set, const std::vector<std::uint8_t>& bounds) {
  Multipliers alpha;
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    alpha.push_back(working_set.block(i).alpha);
  }
  return dual_at(working_set, alpha, bounds);
}

}  // namespace sculpt::core::test
