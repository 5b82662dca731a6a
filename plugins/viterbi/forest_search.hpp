// forest_search.hpp - the best assignment of a forest, by messages from the leaves to the roots.
//
//   best_v(k) = u_v(k) + sum over the children c of v of m_c(k)
//   m_c(k) = max_j best_c(j) + p_c(k, j)              p_c: the table that joins c to its parent
//
// A label of a child is tight with a label of its parent if it attains that maximum. In the best
// assignments the labels of the roots attain the largest best, and all other labels are tight.
// Pearl, Probabilistic Reasoning in Intelligent Systems (1988), chapter 5.
//
// Used by viterbi.cpp for forests that are no chains.
#pragma once

#include "forest_plan.hpp"

#include <span>
#include <vector>

class ForestSearch {
 public:
  // Writes a best assignment to y[variables]. Ties: the smallest last label, then the smallest
  // label before it, and so on. Requires a state for every variable. Throws as ForestPlan::build()
  // does.
  void find(const sculpt_factor_graph& graph, const double* theta, std::span<std::int32_t> y);

 private:
  void upward_pass(const sculpt_factor_graph& graph, const double* theta);
  void send_message(std::size_t position);
  bool downward_pass(std::span<std::int32_t> y) const;
  void break_ties(std::span<std::int32_t> y);
  void find_candidates();
  void propagate(std::size_t position);
  void remove_unsupported(std::size_t child, std::size_t parent, bool of_child);

  std::size_t states(std::size_t position) const { return from_[position + 1] - from_[position]; }
  bool is_tight(std::size_t child, std::size_t parent_label, std::size_t label) const;

  static constexpr double zero = 0;
  const double* theta_ = nullptr;
  ForestPlan plan_;
  std::vector<std::size_t> from_;          // Offsets into best_ and candidate_, [nodes + 1].
  std::vector<std::size_t> message_from_;  // Offsets into messages_, [nodes].
  std::vector<double> best_;               // [sum of states]
  std::vector<double> messages_;           // [sum of the states of parents]

  // For ties:
  std::vector<std::uint8_t> candidate_;             // 1: in some best assignment, [sum of states].
  std::vector<std::vector<std::size_t>> children_;  // [nodes or more]
  std::vector<std::size_t> changed_;                // Nodes that lost labels.
};
