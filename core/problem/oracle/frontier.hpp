// frontier.hpp - calls a component that offers sculpt.frontier/2, and checks its results.
//
//   S(c) = max of <w, psi(x, y)> over the outputs y with counts c
//
// Owned by the Oracle that offers it, which fills the queries. A frontier query is the sequence
// begin(), slice() and output(). Each worker has at most one at a time; argmax on the same worker
// ends it.
#pragma once

#include <vector>

#include "parallel/cache_line.hpp"
#include "problem/components/count_loss.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/lent_frontier_query.hpp"

namespace sculpt::core {

class Frontier {
 public:
  struct Shape {
    std::uint32_t flags = 0;  // SCULPT_ANSWER_NO_OUTPUT, SCULPT_ANSWER_TRUTH_OUTSIDE
    Counts size = {};         // counts run over [0, size[0]) x [0, size[1]); unused if NO_OUTPUT
    bool has_flag(std::uint32_t flag) const { return (flags & flag) != 0; }
  };

  // Requires a component that offers the frontier. All arguments outlive this.
  Frontier(const Component& component, Sessions& sessions, CountLoss loss, int threads);

  CountLoss& loss() { return loss_; }
  std::span<const sculpt_count> counts() const { return loss_.counts(); }

  // Begins a frontier query and returns its shape. The sizes of the shape are valid. `query` holds
  // the example and the weights; the counts are filled in here. The memory it points to must live
  // until the last call of this frontier query. [worker]
  const Shape& begin(int worker, std::int64_t example, const sculpt_frontier_query& query);

  // score = S(first, 0), S(first, 1), ... No score is NaN or +infinity. [worker]
  void slice(int worker, std::int64_t first, std::vector<double>& score);

  // Writes an output that attains S(counts) to the labels of `answer`. Requires a finite entry.
  // [worker]
  void output(int worker, const Counts& counts, Answer& answer);

 private:
  struct alignas(cache_line) ActiveQuery {
    std::int64_t example = 0;
    sculpt_frontier_query query = {};
    LentFrontierQuery fences;  // of what the query points to
    Shape shape;
  };
  void check_sizes(const ActiveQuery& active) const;

  const Component& component_;
  Sessions& sessions_;
  const sculpt_ext_frontier& table_;
  CountLoss loss_;
  std::vector<ActiveQuery> active_queries_;  // [threads]
};

}  // namespace sculpt::core
