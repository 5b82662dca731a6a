// projected_gradient.hpp - the dual over given planes, solved by accelerated projected gradient.
//
// An independent reference for tests: it shares no code with qp/. Source: Beck & Teboulle, SIAM J.
// Imaging Sciences 2 (2009), with the restart of O'Donoghue & Candes 2015.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "objective/plane_source.hpp"

namespace sculpt::core::test {

struct ReferenceSolution {
  std::vector<double> w;
  double primal = 0;  // over the given planes only
  double dual = 0;
};

// Euclidean projection to {x >= 0, sum x <= cap}.
inline void project_to_capped_simplex(std::vector<double>& x, double cap) {
  double positive = 0;
  for (const double value : x) positive += std::max(0.0, value);
  double shift = 0;
  if (positive > cap) {
    std::vector<double> sorted = x;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double sum = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      sum += sorted[k];
      const double candidate = (sum - cap) / static_cast<double>(k + 1);
      if (sorted[k] > candidate) shift = candidate;
    }
  }
  for (double& value : x) value = std::max(0.0, value - shift);
}

// The largest eigenvalue of the Gram matrix of all planes, by power iteration, plus 10 %: if it
// were too small, the gap would not close. `combine` returns the sum of the planes with given
// coefficients.
template <class Combine>
double largest_eigenvalue(const std::vector<std::vector<Plane>>& blocks, const Combine& combine) {
  std::vector<std::vector<double>> x;
  for (const auto& block : blocks) x.emplace_back(block.size(), 1.0);
  double eigenvalue = 0;
  for (int step = 0; step < 50; ++step) {
    const std::vector<double> sum = combine(x);
    double square = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (std::size_t p = 0; p < blocks[i].size(); ++p) {
        const SparseVector& a = blocks[i][p].a;
        x[i][p] = 0;
        for (std::size_t k = 0; k < a.index.size(); ++k) {
          x[i][p] += a.value[k] * sum[static_cast<std::size_t>(a.index[k])];
        }
        square += x[i][p] * x[i][p];
      }
    }
    eigenvalue = std::sqrt(square);
    if (eigenvalue == 0) break;
    for (auto& block : x) {
      for (double& value : block) value /= eigenvalue;
    }
  }
  return 1.1 * eigenvalue + 1e-12;
}

// blocks[i] are the planes of block i, whose alpha add up to at most caps[i]; w_j >= 0 where
// bounds[j] is 1. Stops at a relative gap of 1e-8, or after max_steps steps.
inline ReferenceSolution solve_by_projected_gradient(const std::vector<std::vector<Plane>>& blocks,
                                                     std::size_t dimension,
                                                     const std::vector<double>& caps,
                                                     const std::vector<std::uint8_t>& bounds = {},
                                                     int max_steps = 200000) {
  using Alpha = std::vector<std::vector<double>>;
  Alpha alpha, ahead;
  for (const auto& block : blocks) alpha.emplace_back(block.size(), 0.0);
  ahead = alpha;
  ReferenceSolution best;
  best.primal = HUGE_VAL;
  best.dual = -HUGE_VAL;
  const auto combine = [&](const Alpha& at) {
    std::vector<double> w(dimension, 0.0);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (std::size_t p = 0; p < blocks[i].size(); ++p) {
        const SparseVector& a = blocks[i][p].a;
        for (std::size_t k = 0; k < a.index.size(); ++k) {
          w[static_cast<std::size_t>(a.index[k])] += at[i][p] * a.value[k];
        }
      }
    }
    return w;
  };
  const auto clip = [&](std::vector<double> w) {
    for (std::size_t j = 0; j < bounds.size(); ++j) {
      if (bounds[j] != 0) w[j] = std::max(0.0, w[j]);
    }
    return w;
  };
  const auto score = [](const Plane& plane, const std::vector<double>& w) {
    double value = plane.b;
    for (std::size_t k = 0; k < plane.a.index.size(); ++k) {
      value -= plane.a.value[k] * w[static_cast<std::size_t>(plane.a.index[k])];
    }
    return value;
  };
  const double lipschitz = largest_eigenvalue(blocks, combine);
  double momentum = 1;
  double last_dual = -HUGE_VAL;
  for (int step = 0; step < max_steps; ++step) {
    const std::vector<double> from = clip(combine(ahead));
    Alpha next = ahead;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (std::size_t p = 0; p < blocks[i].size(); ++p) {
        next[i][p] += score(blocks[i][p], from) / lipschitz;
      }
      project_to_capped_simplex(next[i], caps[i]);
    }
    const std::vector<double> w = clip(combine(next));
    double half_norm = 0, dual = 0;
    for (const double value : w) half_norm += 0.5 * value * value;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (std::size_t p = 0; p < blocks[i].size(); ++p) dual += next[i][p] * blocks[i][p].b;
    }
    dual -= half_norm;
    best.dual = std::max(best.dual, dual);
    if (step % 10 == 0) {
      double primal = half_norm;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        double slack = 0;
        for (const Plane& plane : blocks[i]) slack = std::max(slack, score(plane, w));
        primal += caps[i] * slack;
      }
      if (primal < best.primal) {
        best.primal = primal;
        best.w = w;
      }
    }
    if (best.primal - best.dual <= 1e-8 * std::abs(best.primal)) break;
    const double grown = dual < last_dual ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    const double ratio = dual < last_dual ? 0 : (momentum - 1) / grown;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (std::size_t p = 0; p < blocks[i].size(); ++p) {
        ahead[i][p] = next[i][p] + ratio * (next[i][p] - alpha[i][p]);
      }
    }
    momentum = grown;
    last_dual = dual;
    alpha = next;
  }
  return best;
}

// The same with one cap for all blocks.
inline ReferenceSolution solve_by_projected_gradient(const std::vector<std::vector<Plane>>& blocks,
                                                     std::size_t dimension, double cap,
                                                     const std::vector<std::uint8_t>& bounds = {},
                                                     int max_steps = 200000) {
  return solve_by_projected_gradient(blocks, dimension, std::vector<double>(blocks.size(), cap),
                                     bounds, max_steps);
}

}  // namespace sculpt::core::test
