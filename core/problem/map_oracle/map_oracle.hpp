// map_oracle.hpp - the oracle made of a factor graph, a loss that splits over it, and a map_solver.
//
//   value = map_solver(theta) + loss_weight * c(y_i),    theta as in map_queries.hpp
//
// A relaxed answer mu has psi = A_x^T mu and Delta = <l, mu> + c. The frontier of a map_solver gets
// A_x w and, for each count of the loss, an integer table over the cells of theta
// (sculpt/ext/count_loss.h). Made by Problem. The constructor throws if the components do not fit
// together.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parallel/cache_line.hpp"
#include "problem/components/features.hpp"
#include "problem/components/loss.hpp"
#include "problem/map_oracle/factor_counts.hpp"
#include "problem/map_oracle/map_queries.hpp"
#include "problem/map_oracle/uniform_expectations.hpp"
#include "problem/oracle/oracle.hpp"

namespace sculpt::core {

class MapOracle : public Oracle {
 public:
  // Requires sealed components. `loss` may be nullptr: then only queries with loss_weight 0 are
  // answered. `stores_scores`: A_x w is stored, because each example is asked about several times
  // at one w.
  // Throws Failure (Exit::config) if the features have no factor graph, or if their graphs lack
  // classes that the map_solver demands.
  MapOracle(Component& map_solver, Features& features, Loss* loss, bool stores_scores, int threads);

  const Component& component() const override { return map_solver_; }
  const std::string& obstacle_to_loss() const override { return queries_.obstacle_to_loss(); }
  const std::string& obstacle_to_frontier() const override { return obstacle_to_frontier_; }
  Expectations* uniform_expectations() override { return uniform_ ? &*uniform_ : nullptr; }
  bool relaxes() const override { return map_relaxed_table_ != nullptr; }
  // Every map_solver completes: scores far below all others exclude the states that disagree.
  bool completes() const override { return true; }
  bool conditions_on_truths() const override { return true; }
  void condition_on_truths() override { queries_.condition_on_truths(); }
  // For graphs with few assignments only: theta gives the values of all of them.
  void next_best_outputs(int worker, const Answer& answer, double min_value, std::int64_t max_count,
                         std::vector<std::int32_t>& outputs) override;
  // The largest example has the graph with the most assignments.
  void require_largest_fits(std::int64_t count) override;

 private:
  // Memory of one worker.
  struct alignas(cache_line) WorkerScratch {
    Vector mu;                                            // of a relaxed answer
    std::vector<std::pair<double, std::int64_t>> ranked;  // -value, index of the assignment
    sculpt_map_query query = {};                          // of the current frontier query
    CountTables tables;                                   // of the current frontier query
    std::vector<std::int32_t*> table_data;                // the addresses of `tables`
  };

  void bind_frontier(int threads);
  void solve(int worker, std::int64_t example, const sculpt_map_query& query, Answer& answer);
  void compute_argmax(int worker, const sculpt_query& query, double stop_escalating_above,
                      Answer& answer) override;
  void compute_relaxed(int worker, const sculpt_query& query, double stop_escalating_above,
                       SparseAccumulator& scratch, SparseVector& psi, Answer& answer) override;
  void compute_completion(int worker, const sculpt_query& query, Answer& answer) override;
  sculpt_frontier_query frontier_query(int worker, const sculpt_query& query) override;
  sculpt_frontier_query frontier_query_at_zero(int worker, const sculpt_query& query) override;
  void check_labels(int worker, std::int64_t example, const Answer& answer) const override;

  sculpt_frontier_query make_frontier_query(int worker, const sculpt_query& query,
                                            WorkerScratch& scratch);
  void add_counts(int worker, const sculpt_query& query, WorkerScratch& scratch);

  Component& map_solver_;
  Features& features_;
  Loss* loss_;
  MapQueries queries_;
  Sessions sessions_;
  const sculpt_ext_map_cut* map_relaxed_table_ = nullptr;  // nullptr: not offered
  std::optional<UniformExpectations> uniform_;             // empty if not offered
  std::optional<FactorCounts> factor_counts_;              // of the loss, for the frontier
  GraphDemands frontier_demands_;  // of the map_solver's frontier, in addition
  std::string obstacle_to_frontier_;
  std::vector<WorkerScratch> scratches_;  // [threads]
};

}  // namespace sculpt::core
