// count_calls.hpp - calls for counts of losses, frontiers of map_solvers and weight bounds, in the
// style of live_component.hpp.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <sculpt/ext/frontier.h>
#include <sculpt/ext/weight_bounds.h>

namespace plugin_test {

// losses
struct NamedCount {
  std::string name;
  std::int64_t limit;
};
std::vector<NamedCount> counts_of(const LiveComponent& loss);
double loss_of_counts(const LiveComponent& loss, const Outputs& truth,
                      const std::vector<std::int64_t>& counts);
std::uint32_t count_demands(const LiveComponent& loss);
CountTables factor_counts(const LiveComponent& loss, const sculpt_factor_graph& graph,
                          const Outputs& truth);

// features: whether they offer bounds, and 1 for each bounded weight
bool bounds_weights(const LiveComponent& features);
std::vector<std::uint8_t> weight_bounds(const LiveComponent& features);

// The frontier of a map_solver, opened on its session. A session has one open frontier at a time.
// The graph must outlive this object.
class SolverFrontier {
 public:
  SolverFrontier(const LiveComponent& solver, const sculpt_factor_graph& graph,
                 const std::vector<double>& theta, const CountTables& tables,
                 const std::vector<std::int64_t>& limits);
  SolverFrontier(const SolverFrontier&) = delete;
  SolverFrontier& operator=(const SolverFrontier&) = delete;

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
