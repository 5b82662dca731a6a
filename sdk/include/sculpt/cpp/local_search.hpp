// local_search.hpp - improves an assignment until no change of a single label improves it further.
//
// SPDX-License-Identifier: Apache-2.0
//
//   y_v <- argmax_k  sum over the factors f around v of theta_f(k, y of the others)
//
// One variable after the other is updated until nothing changes: iterated conditional modes (ICM).
// Besag, "On the Statistical Analysis of Dirty Pictures", Journal of the Royal Statistical Society
// B 48 (1986). For map_solvers that need a good assignment quickly.
#pragma once

#include "factor_tables.hpp"

namespace sculpt {

class LocalSearch {
 public:
  // Sets the problem of the following searches. Requires a state for every variable. `graph` and
  // `theta` must outlive the searches.
  void begin(const sculpt_factor_graph& graph, const double* theta) {
    graph_ = &graph;
    theta_ = theta;
    incidence_.build(graph);
  }

  // Improves y, [variable_count], until no change of one label improves it, or after max_sweeps
  // passes. Returns its score. Ties: the present state, else the smallest of the best. Calls poll()
  // once a pass; poll() may throw.
  template <class Poll>
  double climb(std::span<std::int32_t> y, std::int64_t max_sweeps, Poll poll) {
    bool changed = true;
    for (std::int64_t sweep = 0; changed && sweep < max_sweeps; ++sweep) {
      poll();
      changed = false;
      for (std::size_t v = 0; v < y.size(); ++v) changed |= improve(y, v);
    }
    return assignment_score(*graph_, theta_, y.data());
  }

 private:
  // Gives v its best state. Returns false if no state is better than the present one, so every
  // search ends.
  bool improve(std::span<std::int32_t> y, std::size_t v) {
    scores_.assign(static_cast<std::size_t>(graph_->states[v]), 0.0);
    for (const auto& [factor, stride] : incidence_.of(static_cast<std::int64_t>(v))) {
      const double* cells = theta_ + factor_cell(*graph_, factor, y.data()) - y[v] * stride;
      for (std::size_t k = 0; k < scores_.size(); ++k) {
        scores_[k] += cells[static_cast<std::int64_t>(k) * stride];
      }
    }
    const auto best = std::max_element(scores_.begin(), scores_.end());
    if (!(*best > scores_[static_cast<std::size_t>(y[v])])) return false;
    y[v] = static_cast<std::int32_t>(best - scores_.begin());
    return true;
  }

  const sculpt_factor_graph* graph_ = nullptr;
  const double* theta_ = nullptr;
  FactorIncidence incidence_;
  std::vector<double> scores_;  // [states of one variable]
};

}  // namespace sculpt
