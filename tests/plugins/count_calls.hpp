// count_calls.hpp - counts of losses, frontiers of map_solvers, weight bounds: the calls of
// live_component.hpp for what came after it.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <sculpt/ext/frontier.h>
#include <sculpt/ext/weight_bounds.h>

namespace plugin_test {

// losses
struct Counted {
  std::string name;
  std::int64_t limit;
};
std::vector<Counted> counts_of(const LiveComponent& loss);
double loss_of_counts(const LiveComponent& loss, const Outputs& truth,
                      const std::vector<std::int64_t>& counts);
std::uint32_t count_demands(const LiveComponent& loss);
CountTables factor_counts(const LiveComponent& loss, const sculpt_factor_graph& graph,
                          const Outputs& truth);

// features; whether bounds are offered, and which weights they hold
bool bounds_weights(const LiveComponent& features);
std::vector<std::uint8_t> weight_bounds(const LiveComponent& features);

// A conversation with a map_solver, of which a session has one at a time. The graph must live.
class LiveFrontier {
 public:
  LiveFrontier(const LiveComponent& solver, const sculpt_factor_graph& graph,
               const std::vector<double>& theta, const CountTables& tables,
               const std::vector<std::int64_t>& limits);
  LiveFrontier(const LiveFrontier&) = delete;
  LiveFrontier& operator=(const LiveFrontier&) = delete;

  std::uint32_t flags() const { return shape_.flags; }
  std::int64_t size(std::size_t count) const { return shape_.size[count]; }
  std::vector<double> slice(std::int64_t first) const;
  Outputs output(Counts counts) const;

 private:
  const sculpt_ext_frontier& table_;
  void* session_;
  std::vector<double> theta_;
  CountTables tables_;
  std::vector<const std::int32_t*> rows_;
  std::vector<sculpt_count> counts_;
  sculpt_map_query map_;
  sculpt_frontier_query query_;
  sculpt_frontier_shape shape_;
};

}  // namespace plugin_test
