// map_expectations.hpp - expectations by a map_solver that sums over all assignments.
//
//   E[psi] = A_x^T E[z],    Cov[psi] v = A_x^T Cov[z] (A_x v)
//   E[Delta] = c + <l, E[z]>,    Cov(psi, Delta) = A_x^T Cov[z] l
//
// with z(y) the indicator of the cells that y uses, under p(y) ~ exp <theta, z(y)>. theta is
// defined in map_queries.hpp. A_x^T is the pullback of the features. Made by MapOracle.
#pragma once

#include <sculpt/ext/expectation.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "parallel/cache_line.hpp"
#include "problem/components/features.hpp"
#include "problem/map_oracle/map_queries.hpp"
#include "problem/oracle/cell_expectations.hpp"
#include "problem/oracle/expectations.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_map_expectation> {
  static constexpr const char* id = SCULPT_EXT_MAP_EXPECTATION;
  static constexpr std::size_t required_functions = 2;
};

class MapExpectations : public Expectations, public CellExpectations {
 public:
  static bool is_offered_by(const Component& map_solver) {
    return map_solver.extension<sculpt_ext_map_expectation>() != nullptr;
  }
  // Requires is_offered_by(map_solver). All arguments outlive this.
  MapExpectations(const Component& map_solver, Sessions& sessions, MapQueries& queries,
                  Features& features, int threads);
  const std::string& obstacle_to_loss() const override { return queries_.obstacle_to_loss(); }
  bool gives_marginals() const override { return true; }
  LogZ marginals(int worker, const sculpt_query& query, Marginals& out) override;

  CellExpectations* cells() override { return this; }
  std::int64_t cell_count(int worker, std::int64_t example) override {
    return queries_.graph(worker, example).theta_size;
  }
  double compute_potentials(int worker, const sculpt_query& query, double weight_scale,
                            std::span<double> theta) override;
  void add_truth(int worker, const sculpt_query& query, double score,
                 std::span<double> theta) override;
  LogZ compute_cell_mean(int worker, const sculpt_query& query, std::span<const double> theta,
                         std::span<double> mu) override;
  void add_pullback(int worker, std::int64_t example, std::span<const double> mu, double scale,
                    SparseAccumulator& list, Vector& sum) override;

 private:
  // Memory of one worker, [theta_size] each.
  struct alignas(cache_line) WorkerScratch {
    Vector mu;         // E[z], or Cov[z] times `direction`
    Vector direction;  // A_x v
  };

  std::string obstacle_to_loss_moments() const override { return obstacle_to_loss(); }
  double compute_loss_moments(int worker, const sculpt_query& query,
                              SparseAccumulator& sum) override;
  LogZ compute_mean(int worker, const sculpt_query& query, SparseAccumulator& sum) override;
  bool scales_weights() const override { return true; }
  LogZ add_mean_to(int worker, const sculpt_query& query, double weight_scale, double scale,
                   SparseAccumulator& list, Vector& sum) override;
  void compute_covariance(int worker, const sculpt_query& query, const sculpt_weights& v,
                          SparseAccumulator& sum) override;
  LogZ compute_cells(int worker, const sculpt_query& query, double weight_scale = 1);
  void multiply_covariance(int worker, const sculpt_query& query, const sculpt_map_query& map_query,
                           SparseAccumulator& sum);
  LogZ ask_for_mean(int worker, std::int64_t example, const sculpt_map_query& query,
                    std::span<double> mu);
  WorkerScratch& reset_mu(int worker, const sculpt_map_query& query);
  const Vector& mu(int worker) const { return scratches_[static_cast<std::size_t>(worker)].mu; }
  void require_probability(double p, std::int64_t example, std::int64_t variable) const;
  void require_size(const sculpt_map_query& query, std::size_t cells, std::int64_t example) const;
  void require_numbers(const char* quantity, std::span<const double> cells,
                       std::int64_t example) const;

  Sessions& sessions_;
  MapQueries& queries_;
  Features& features_;
  const sculpt_ext_map_expectation& table_;
  std::vector<WorkerScratch> scratches_;  // [threads]
};

}  // namespace sculpt::core
