// uniform_expectations.hpp - the expectations at w = 0, where all assignments of a factor graph
// have the same probability.
//
//   E[psi] = A_x^T E[z],    Cov[psi] v = A_x^T Cov[z] (A_x v),    z as in uniform_moments.hpp
//
// No map_solver is asked. So they are offered with any map_solver, and for graphs with cycles. Made
// by MapOracle if the features promise graphs without factors of more than two variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parallel/cache_line.hpp"
#include "problem/components/features.hpp"
#include "problem/map_oracle/map_queries.hpp"
#include "problem/map_oracle/uniform_moments.hpp"
#include "problem/oracle/expectations.hpp"

namespace sculpt::core {

// All queries must be at w = 0, with loss_weight 0. The weights of a query are not read.
class UniformExpectations : public Expectations {
 public:
  static bool is_offered_by(const MapQueries& queries) {
    return (queries.classes() & (SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_CHAIN)) != 0;
  }
  // Requires is_offered_by(queries). Both arguments outlive this.
  UniformExpectations(MapQueries& queries, Features& features, int threads);
  bool asks_oracle() const override { return false; }
  const std::string& obstacle_to_loss() const override;

 private:
  // Memory of one worker.
  struct alignas(cache_line) WorkerScratch {
    UniformMoments moments;
    Vector mu;         // [theta_size] E[z], or Cov[z] times `direction`
    Vector direction;  // [theta_size] A_x v
  };

  LogZ compute_mean(int worker, const sculpt_query& query, SparseAccumulator& sum) override;
  LogZ add_mean_to(int worker, const sculpt_query& query, double weight_scale, double scale,
                   SparseAccumulator& list, Vector& sum) override;
  void compute_covariance(int worker, const sculpt_query& query, const sculpt_weights& v,
                          SparseAccumulator& sum) override;
  const sculpt_factor_graph& graph(int worker, const sculpt_query& query);
  double compute_cells(int worker, const sculpt_query& query);

  MapQueries& queries_;
  Features& features_;
  std::vector<WorkerScratch> scratches_;  // [threads]
};

}  // namespace sculpt::core
