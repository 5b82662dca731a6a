// factor_counts.hpp - the counts of a loss as tables over the cells of a factor graph
// (sculpt/ext/count_loss.h).
//
//   c_k(truth, y) = sum over factors f of tables[k][table[f] + offset_f(y)]
//
// Held by MapOracle, for frontiers, and by OutputCounts. Also called by check.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "problem/components/count_loss.hpp"
#include "problem/map_oracle/graph_demands.hpp"

namespace sculpt::core {

// [counts][theta_size]
using CountTables = std::vector<std::vector<std::int32_t>>;

class FactorCounts {
 public:
  // Returns nothing if the loss offers no counts, or if they do not split over factors. Requires a
  // sealed loss, which outlives the result.
  static std::optional<FactorCounts> if_offered(Loss& loss);

  CountLoss& count_loss() { return count_loss_; }
  std::span<const sculpt_count> counts() const { return count_loss_.counts(); }
  const GraphDemands& demands() const { return demands_; }

  // Fills the tables of a truth. Requires a valid graph that meets the demands. Throws Failure
  // (Exit::plugin) if a number is negative. [worker]
  void fill(int worker, std::int64_t example, sculpt_labels truth, const sculpt_factor_graph& graph,
            CountTables& tables);
  // Returns min(c_k, limit) of an assignment of the graph.
  Counts counts_of(const sculpt_factor_graph& graph, const CountTables& tables,
                   const std::int32_t* y) const;

 private:
  FactorCounts(CountLoss count_loss, const sculpt_ext_factor_counts& table);

  CountLoss count_loss_;
  const sculpt_ext_factor_counts* table_;
  GraphDemands demands_;
};

}  // namespace sculpt::core
