// forest_frontier.hpp - the best score of a forest for each vector of counts.
//
//   F_v^c(k)   the best score of v and all nodes below it with counts c and label k at v
//   m_u^c(k) = max_j F_u^{c - e_u(k, j)}(j) + p_u(k, j)      of a child u, for its parent's label k
//   F_v = own_v (+) m_{u_1} (+) ... (+) m_{u_r},   (A (+) B)^c = max over a + b = c of A^a + B^b
//
// with scores p and counts e of the table that joins u to its parent. own_v has u_v(k) at the count
// of that label. One more node with a single state is above the roots, and its F is the frontier.
// At its limit a count stands for all larger ones: a + b = c then means min(a + b, limit) = c.
//
// Every sum of two tables is stored, for backtracking. Used by viterbi.cpp for forests that are no
// chains. For chains chain_frontier.hpp needs a fraction of the time and memory.
#pragma once

#include "forest_plan.hpp"

#include <sculpt/cpp/counts.hpp>
#include <sculpt/cpp/host.hpp>

#include <optional>
#include <vector>

class ForestFrontier {
 public:
  explicit ForestFrontier(const sculpt::Host& host) : host_(host) {}

  // As in ChainFrontier. The first call of slice() or output() computes all slices.
  sculpt::CountVector begin(const sculpt::FrontierQuery& query, std::int64_t max_cells);
  void end() { sizes_ = {}; }
  void slice(std::int64_t first, std::span<double> scores);
  // Writes a best output with these counts to y[variables], always the same one.
  void output(sculpt::CountVector counts, std::span<std::int32_t> y);

 private:
  using CountVector = sculpt::CountVector;
  // Scores [states][size[0]][size[1]] in cells_.
  struct Table {
    std::size_t from = 0;
    std::size_t states = 0;
    CountVector size = {1, 1};
  };
  struct Node {
    Table own;                    // Of the labels of the node alone.
    Table message;                // To the parent.
    Table parent_before;          // F of the parent before this child is added.
    Table parent_after;           // F of the parent with this child.
    Table with_children;          // F of this node.
    std::size_t first_label = 0;  // Index into label_scores_ and label_counts_.
  };

  void read_labels();
  void read_factor(std::size_t position, std::int64_t factor);
  void plan_tables(std::int64_t max_cells);
  CountVector max_count_of_pair(std::size_t position) const;

  void compute_tables();
  void fill_own(const Node& node);
  void fill_message(std::size_t position);
  void fill_joined(const Node& child);
  void poll(std::size_t sums);

  CountVector split_counts(const Node& child, std::size_t label, CountVector& counts) const;
  void choose_label(std::size_t position, std::size_t parent_label, const CountVector& counts);

  // The node above the roots is the last one.
  std::size_t root() const { return nodes_.size() - 1; }
  std::size_t parent_of(std::size_t position) const {
    const std::int32_t parent = plan_.nodes()[position].parent;
    return parent == ForestPlan::no_parent ? root() : static_cast<std::size_t>(parent);
  }
  // Return the score and the counts of the step from `parent_label` of the parent to `label`; 0 at
  // a root.
  double step_score(std::size_t position, std::size_t parent_label, std::size_t label) const;
  CountVector step_counts(std::size_t position, std::size_t parent_label, std::size_t label) const;
  std::size_t step_cell(std::size_t position, std::size_t parent_label, std::size_t label) const;
  double score(const Table& table, std::size_t state, const CountVector& counts) const {
    return cells_[index(table, state, counts)];
  }
  static std::size_t index(const Table& table, std::size_t state, const CountVector& counts);
  template <class Visit>
  void each_remainder(const CountVector& counts, const CountVector& added, const Table& table,
                      Visit visit) const;

  // After this number of sums, some milliseconds, the host is asked whether to stop.
  static constexpr std::size_t poll_interval = std::size_t{1} << 22;

  const sculpt::Host& host_;
  std::size_t sums_since_poll_ = 0;  // Sums since the host was asked.
  std::optional<sculpt::FrontierQuery> query_;
  ForestPlan plan_;
  CountVector sizes_ = {};  // 0: there is no frontier.
  CountVector limits_ = {};
  bool is_computed_ = false;

  std::vector<Node> nodes_;                // In the order of the plan, [variables + 1].
  std::vector<double> label_scores_;       // Unary scores, [labels of all nodes].
  std::vector<CountVector> label_counts_;  // Unary counts, [labels of all nodes].
  std::size_t used_cells_ = 0;             // Used part of cells_.
  std::vector<double> cells_;
  std::vector<std::size_t> label_;      // [nodes]
  std::vector<CountVector> remaining_;  // Counts that remain for the node, [nodes].
};
