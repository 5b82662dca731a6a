// counted_search.hpp - finds the best outputs of a task's program for given counts, within a memory
// limit.
//
// SPDX-License-Identifier: Apache-2.0
//
// The frontier (frontier.hpp) of a Task of oracle.hpp. It is solved at the first call of score().
// Part of oracle_session.hpp. [worker]
#pragma once

#include "../cpp/count_tables.hpp"
#include "frontier.hpp"

namespace sculpt::program {

template <class Task, Program P>
class CountedSearch {
 public:
  explicit CountedSearch(std::int64_t max_cells) : max_cells_(max_cells) {}

  // Call it after begin_counts() of the task. `task` and `program` must outlive the search. Returns
  // the size: counts of the outputs are in [0, result[0]) x [0, result[1]). 0 x 0: there is no
  // output. Throws E_UNSUPPORTED if it needs more memory than max_cells allows, before allocating.
  Counts begin(const Task& task, const P& program, const Counts& limit) {
    check_nodes(program.node_count());
    task_ = &task;
    program_ = &program;
    is_solved_ = false;
    frontier_.begin(program, counting(), limit);
    check_frontier_size(static_cast<double>(frontier_.cells()), sizeof(double), max_cells_);
    return frontier_.size();
  }
  Counts size() const { return frontier_.size(); }

  // Returns the best score of the outputs with these counts, `underivable` if there are none.
  // Requires counts within the size.
  double score(const Counts& counts) {
    if (!is_solved_) frontier_.solve(*program_, counting());
    is_solved_ = true;
    return frontier_.value(counts);
  }
  // Writes an output with that score. Requires that the score is not `underivable`.
  void derivation(const Counts& counts, Derivation<P>& out) {
    frontier_.derivation(*program_, counting(), counts, out);
  }

 private:
  auto counting() const {
    return [this](const typename P::Edge& edge) { return task_->counts(edge); };
  }
  // A frontier needs memory for each node before it knows its number of cells.
  void check_nodes(std::int64_t nodes) const {
    if (nodes <= max_cells_) return;
    throw unsupported_error(
        "this frontier is over a program of " + std::to_string(nodes) + " nodes of " +
        std::to_string(Frontier<P>::bytes_of_node) +
        " bytes, more than max_cells = " + std::to_string(max_cells_) +
        "; raise max_cells if every thread has memory for them, or use a loss that is linear in "
        "its counts");
  }

  std::int64_t max_cells_;
  const Task* task_ = nullptr;
  const P* program_ = nullptr;
  bool is_solved_ = false;
  Frontier<P> frontier_;
};

}  // namespace sculpt::program
