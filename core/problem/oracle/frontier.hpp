// frontier.hpp - the conversation with a component that offers sculpt.frontier/1, checked.
//
//   S(c) = max of <w, psi(x, y)> over the outputs y with counts c
//
// Owned by the Oracle that offers it, which fills the queries. One conversation a worker at a time;
// argmax on the same worker ends it.
#pragma once

#include <vector>

#include "problem/components/count_loss.hpp"
#include "problem/plugin/answer_buffers.hpp"

namespace sculpt::core {

class Frontier {
 public:
  struct Shape {
    std::uint32_t flags = 0;  // SCULPT_ANSWER_NO_OUTPUT, SCULPT_ANSWER_TRUTH_OUTSIDE
    Counts size = {};         // counts run over [0, size[0]) x [0, size[1]); of NO_OUTPUT: nothing
    bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
  };

  // Requires a component that offers the frontier; all outlive it.
  Frontier(const Component& component, Sessions& sessions, CountLoss loss, int threads);

  CountLoss& loss() { return loss_; }
  std::span<const sculpt_count> counts() const { return loss_.counts(); }

  // `query` says whom and what about; the counts are filled in here. What it points to lives until
  // the conversation ends. The sizes that come back are possible. [worker]
  const Shape& begin(int worker, std::int64_t example, const sculpt_frontier_query& query);

  // score = S(first, 0), S(first, 1), ...; none is NaN or +infinity. [worker]
  void slice(int worker, std::int64_t first, std::vector<double>& score);

  // The labels of `answer` = an output that attains S(counts), of a finite entry. [worker]
  void output(int worker, const Counts& counts, Answer& answer);

 private:
  struct ActiveQuery {
    std::int64_t example = 0;
    sculpt_frontier_query query = {};
    Shape shape;
  };
  void check(const ActiveQuery& active) const;

  const Component& component_;
  Sessions& sessions_;
  const sculpt_ext_frontier& table_;
  CountLoss loss_;
  std::vector<ActiveQuery> active_queries_;  // [threads]
};

}  // namespace sculpt::core
