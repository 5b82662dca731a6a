// loaded_map_solver.hpp - a map_solver without an experiment: found, created, sealed, with sessions
// for the threads of a batch.
//
// Held by Batch. The constructor throws Failure: Exit::config if there is no such map_solver or a
// parameter is wrong, Exit::plugin if its library cannot be used.
#pragma once

#include <sculpt/ext/expectation.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "batch/batch_graphs.hpp"
#include "experiment/checked_parameters.hpp"
#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "problem/map_oracle/graph_demands.hpp"
#include "problem/oracle/expectations.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

class LoadedMapSolver {
 public:
  struct Options {
    std::string name;                                // as `use` in an experiment
    std::string parameters = "{}";                   // a JSON object
    std::vector<std::filesystem::path> plugin_path;  // absolute
    int threads = 1;
    // Receives warnings: severity SCULPT_LOG_*. May be empty.
    std::function<void(std::int32_t severity, const std::string& text)> log;
  };
  explicit LoadedMapSolver(const Options& options);

  const std::string& name() const { return component_.name(); }
  Workers& workers() { return workers_; }
  // The running calls, or the next ones, throw Cancelled until proceed(). [signal handler]
  void stop() { is_stopped_ = true; }
  void proceed() { is_stopped_ = false; }
  void throw_if_stopped() const { services_.throw_if_cancelled(); }
  // True if all calls must come from one thread.
  bool is_serial() const { return component_.has_trait(SCULPT_TRAIT_SERIAL); }

  // Throws Failure(Exit::config) if it cannot solve one of the graphs. Returns true if it demands
  // that the scores reward equal labels.
  bool require_graphs(const BatchGraphs& graphs) const;
  // Throws Failure(Exit::config) if it has no log Z and marginals. `purpose`: of the call.
  void require_marginals(const std::string& purpose) const;

  // Finds the best output and checks it. [worker]
  void solve(int worker, std::int64_t example, const sculpt_map_query& query, Answer& answer);
  // Returns log Z, and writes mu[theta_size] = E[z]. Requires marginals. [worker]
  LogZ mean(int worker, std::int64_t example, const sculpt_map_query& query, Vector& mu);

 private:
  void check_labels(std::int64_t example, const sculpt_factor_graph& graph,
                    const Answer& answer) const;

  std::atomic<bool> is_stopped_ = false;
  FoundComponent found_;
  CheckedParameters parameters_;
  Workers workers_;
  Services services_;
  Component component_;
  Sessions sessions_;
  GraphDemands demands_;
  const sculpt_ext_map_expectation* expectation_ = nullptr;  // nullptr: not offered
};

}  // namespace sculpt::core
