// forest_frontier.hpp - the best score of a forest for each vector of counts.
//
//   F_v^c(k)   the best of v and all below it that counts c, with label k at v
//   m_u^c(k) = max_j F_u^{c - e_u(k, j)}(j) + p_u(k, j)      of a child u, to its parent's label k
//   F_v = own_v (+) m_{u_1} (+) ... (+) m_{u_r},   (A (+) B)^c = max over a + b = c of A^a + B^b
//
// with scores p and counts e of the table that joins u to its parent; own_v holds u_v(k) at the
// count of that label. Above the roots stands one more node with a single state, so that its F is
// the frontier. At its limit a count collects: a + b = c then means min(a + b, limit) = c.
//
// Every sum of two tables is kept, for the way back. Used by viterbi.cpp for forests that are no
// chains; chains have chain_frontier.hpp, which needs a fraction of the time and memory.
#pragma once

#include "forest_plan.hpp"

#include <sculpt/cpp/counts.hpp>
#include <sculpt/cpp/host.hpp>

#include <optional>
#include <vector>

class ForestFrontier {
 public:
  explicit ForestFrontier(const sculpt::Host& host) : host_(host) {}

  // As those of ChainFrontier. The first slice or output asked for computes all of them.
  sculpt::CountVector begin(const sculpt::FrontierQuery& query, std::int64_t max_cells);
  void end() { sizes_ = {}; }
  void slice(std::int64_t first, std::span<double> scores);
  // y[variables]: of the outputs with these counts and the best score always the same one.
  void output(sculpt::CountVector counts, std::span<std::int32_t> y);

 private:
  using CountVector = sculpt::CountVector;
  // Scores [states][size[0]][size[1]], from a place in cells_ on.
  struct Table {
    std::size_t from = 0;
    std::size_t states = 0;
    CountVector size = {1, 1};
  };
  struct Node {
    Table own;
    Table message;                // to the parent
    Table before;                 // F of the parent until this child joins
    Table after;                  // and with it
    Table all;                    // F
    std::size_t first_label = 0;  // into scores_ and counted_
  };

  void read_labels();
  void read_factor(std::size_t node, std::int64_t factor);
  void plan_tables(std::int64_t max_cells);
  CountVector most_of_pair(std::size_t place) const;

  void compute();
  void fill_own(const Node& node);
  void fill_message(std::size_t place);
  void fill_joined(const Node& child);
  void poll(std::size_t work);

  CountVector split(const Node& child, std::size_t label, CountVector& counts) const;
  void choose_label(std::size_t place, std::size_t above, const CountVector& counts);

  // The node above the roots is the last one.
  std::size_t root() const { return nodes_.size() - 1; }
  std::size_t parent_of(std::size_t place) const {
    const std::int32_t parent = plan_.nodes()[place].parent;
    return parent == ForestPlan::no_parent ? root() : static_cast<std::size_t>(parent);
  }
  // What the step from label `above` of the parent to `label` scores and counts; nothing at a root.
  double step_score(std::size_t place, std::size_t above, std::size_t label) const;
  CountVector step_counts(std::size_t place, std::size_t above, std::size_t label) const;
  std::size_t step_cell(std::size_t place, std::size_t above, std::size_t label) const;
  double score(const Table& table, std::size_t state, const CountVector& counts) const {
    return cells_[index(table, state, counts)];
  }
  static std::size_t index(const Table& table, std::size_t state, const CountVector& counts);
  template <class Visit>
  void each_rest(const CountVector& counts, const CountVector& added, const Table& table,
                 Visit visit) const;

  // Every so many sums, some milliseconds, the host is asked whether to stop.
  static constexpr std::size_t poll_interval = std::size_t{1} << 22;

  const sculpt::Host& host_;
  std::size_t work_ = 0;  // sums since the host was asked
  std::optional<sculpt::FrontierQuery> asked_;
  ForestPlan plan_;
  CountVector sizes_ = {};  // 0: no frontier is under way
  CountVector limits_ = {};
  bool filled_ = false;

  std::vector<Node> nodes_;           // [variables + 1] in the order of the plan
  std::vector<double> scores_;        // [labels of all nodes] of their own
  std::vector<CountVector> counted_;  // the same
  std::size_t used_ = 0;              // of cells_
  std::vector<double> cells_;
  std::vector<std::size_t> label_;  // [nodes]
  std::vector<CountVector> left_;   // [nodes] counts of what is not yet laid out
};
