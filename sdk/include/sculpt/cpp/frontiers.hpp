// frontiers.hpp - what the frontier methods of a Session get: the query, the shape to fill, counts.
//
// SPDX-License-Identifier: Apache-2.0
//
// For oracles and map_solvers. ext/frontier.h and ext/count_loss.h define the terms.
#pragma once

#include <array>
#include <limits>

#include "../ext/frontier.h"
#include "views.hpp"

namespace sculpt {

// The score of counts that no output has.
inline constexpr double unattainable = -std::numeric_limits<double>::infinity();

// The query of a frontier: what is counted, and for which example or graph. It is valid until the
// sequence of calls ends (cursor.hpp).
class FrontierQuery {
 public:
  explicit FrontierQuery(const sculpt_frontier_query& raw) : raw_(&raw) {}

  std::span<const sculpt_count> counts() const { return {raw_->count, raw_->count_count}; }

  // For oracles only.
  Query query() const { return Query(*raw_->query); }

  // For map_solvers only: graph(), theta() [theta_size], and table() [theta_size] of each count.
  const sculpt_factor_graph& graph() const { return *raw_->map->graph; }
  std::span<const double> theta() const { return {raw_->map->theta, theta_size()}; }
  std::span<const std::int32_t> table(std::size_t count) const {
    return {raw_->tables[count], theta_size()};
  }

 private:
  std::size_t theta_size() const { return static_cast<std::size_t>(graph().theta_size); }

  const sculpt_frontier_query* raw_;
};

// The answer to begin_frontier(): the ranges of the counts.
class FrontierShape {
 public:
  explicit FrontierShape(sculpt_frontier_shape* raw) : raw_(raw) {
    raw_->flags = 0;
    resize(0);
  }
  // Counts are in [0, first) x [0, second). `second` is 1 if there is only one count.
  void resize(std::int64_t first, std::int64_t second = 1) {
    raw_->size[0] = first;
    raw_->size[1] = second;
  }
  // The example has no output.
  void no_output() { raw_->flags |= SCULPT_ANSWER_NO_OUTPUT; }
  // The truth is not among the outputs.
  void truth_outside() { raw_->flags |= SCULPT_ANSWER_TRUTH_OUTSIDE; }
  std::int64_t width() const { return raw_->size[1]; }

 private:
  sculpt_frontier_shape* raw_;
};

// Two counts. If there is only one, the second is 0.
using CountVector = std::array<std::int64_t, SCULPT_MOST_COUNTS>;

}  // namespace sculpt
