// map_distribution_caller.hpp - calls a map_solver's extensions about all assignments of a small
// graph: the extensions map-expectation, map-k-best and map-sample.
//
// Used by check/tests. "Not supported for this graph" is no error: the solver may solve more graphs
// than these extensions do.
#pragma once

#include <optional>

#include "check/small_graphs/map_solver_caller.hpp"
#include "problem/map_oracle/map_expectations.hpp"
#include "problem/map_oracle/map_series.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

// A query about a graph. Must live until the call sequence ends, and must not move.
class MapQueryData {
 public:
  explicit MapQueryData(const SmallGraph& graph);
  const sculpt_map_query& query() const { return query_; }

 private:
  FactorGraphData graph_data_;
  std::vector<double> theta_;
  sculpt_map_query query_;
};

class MapDistributionCaller {
 public:
  // Requires a sealed map_solver.
  explicit MapDistributionCaller(const Component& component)
      : component_(component), sessions_(component, 1) {}

  const std::string& name() const { return component_.name(); }
  template <class Table>
  bool offers() const {
    return component_.extension<Table>() != nullptr;
  }

  // Each function requires that its extension is offered. SCULPT_E_UNSUPPORTED gives false or
  // nothing. Other errors are thrown in the solver's name.
  struct Mean {
    sculpt_log_z log_z;
    std::vector<double> mu;  // NaN if not written by the solver
  };
  std::optional<Mean> mean(const MapQueryData& graph);
  std::optional<std::vector<double>> covariance_times(const MapQueryData& graph,
                                                      const std::vector<double>& direction);
  bool begin_k_best(const MapQueryData& graph);
  OwnedAnswer next();
  std::optional<double> begin_sample(const MapQueryData& graph);  // log Z
  std::vector<std::int32_t> draw(std::uint64_t seed);

  // For a call sequence that another call may have ended. Returns nothing if the solver refuses.
  std::optional<OwnedAnswer> next_if_any();
  std::optional<std::vector<std::int32_t>> draw_if_any(std::uint64_t seed);

  // Solves for the best assignment in the session that all these functions share.
  void solve(const MapQueryData& graph);

 private:
  // Returns the status of function(session, error). `error_text` receives the error.
  template <class Function>
  sculpt_status status_of(const char* name, Function function, std::string& error_text);
  sculpt_status next(Answer& answer, std::string& error_text);
  sculpt_status draw(std::uint64_t seed, Answer& answer, std::string& error_text);
  // True if the call succeeds, false if the solver does not support the graph.
  template <class Function>
  bool call_if_supported(const char* name, Function function);

  const Component& component_;
  LentMapQuery series_query_;  // of begin_k_best() and begin_sample(): lives until the next of them
  Sessions sessions_;
};

}  // namespace sculpt::core
