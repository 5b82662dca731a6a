// counted_search.hpp - the best outputs of a task's program by what they count, within a limit of
// memory.
//
// SPDX-License-Identifier: Apache-2.0
//
// The frontier (frontier.hpp) of a Task of oracle.hpp, solved when its scores are asked for. Part
// of oracle_session.hpp. [worker]
#pragma once

#include "../cpp/count_tables.hpp"
#include "frontier.hpp"

namespace sculpt::program {

template <class Task, Program P>
class CountedSearch {
 public:
  explicit CountedSearch(std::int64_t max_cells) : max_cells_(max_cells) {}

  // After begin_counts() of the task, which like `program` must live as long as the search. Counts
  // of the outputs run over [0, result[0]) x [0, result[1]); 0 x 0: there is none. Throws
  // E_UNSUPPORTED where it would take more memory than max_cells allows, before it takes that.
  Counts begin(const Task& task, const P& program, const Counts& limit) {
    check_nodes(program.node_count());
    task_ = &task;
    program_ = &program;
    solved_ = false;
    frontier_.begin(program, counting(), limit);
    check_frontier_size(static_cast<double>(frontier_.cells()), sizeof(double), max_cells_);
    return frontier_.size();
  }
  Counts size() const { return frontier_.size(); }

  // The best score of the outputs with these counts; `underivable`: none has them. Requires counts
  // within the size.
  double score(const Counts& counts) {
    if (!solved_) frontier_.solve(*program_, counting());
    solved_ = true;
    return frontier_.value(counts);
  }
  // An output with that score, which is not `underivable`.
  void derivation(const Counts& counts, Derivation<P>& out) {
    frontier_.derivation(*program_, counting(), counts, out);
  }

 private:
  auto counting() const {
    return [this](const typename P::Edge& edge) { return task_->counts(edge); };
  }
  // A frontier takes memory for each node before it knows how many cells it has.
  void check_nodes(std::int64_t nodes) const {
    if (nodes <= max_cells_) return;
    throw unsupported_error(
        "this frontier is over a program of " + std::to_string(nodes) + " nodes of " +
        std::to_string(Frontier<P>::bytes_of_node) +
        " bytes, more than max_cells = " + std::to_string(max_cells_) +
        "; raise max_cells if there is memory for them on every thread, or take a loss that is "
        "linear in its counts");
  }

  std::int64_t max_cells_;
  const Task* task_ = nullptr;
  const P* program_ = nullptr;
  bool solved_ = false;
  Frontier<P> frontier_;
};

}  // namespace sculpt::program
