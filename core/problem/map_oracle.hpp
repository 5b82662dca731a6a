// map_oracle.hpp - the oracle made of a factor graph, a loss that splits over it, and a map_solver.
//
//   theta = A_x w + loss_weight * l(y_i),    value = map_solver(theta) + loss_weight * c(y_i)
//
// with A_x w from features.factor-graph and (l, c) from loss.factor-loss
// (sculpt/ext/factor_graph.h). A relaxed answer mu has psi = A_x^T mu and Delta = <l, mu> + c. The
// frontier of a map_solver gets A_x w and, for each count of the loss, an integer table over the
// cells of theta (sculpt/ext/count_loss.h). Made by Problem, which calls bind-time refusals through
// the constructor.
#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "problem/features.hpp"
#include "problem/graph_demands.hpp"
#include "problem/loss.hpp"
#include "problem/oracle.hpp"

namespace sculpt::core {

class MapOracle : public Oracle {
 public:
  // Requires sealed components. `loss` may be nullptr: then only queries with loss_weight 0 are
  // answered. `repeats`: examples are asked about several times at one w, so A_x w is kept. Refuses
  // (Exit::config) features without a factor graph, and graphs that have not the classes the
  // map_solver demands.
  MapOracle(Component& map_solver, Features& features, Loss* loss, bool repeats, int threads);

  const Component& component() const override { return map_solver_; }
  const std::string& obstacle_to_loss() const override { return obstacle_to_loss_; }
  const std::string& obstacle_to_frontier() const override { return obstacle_to_frontier_; }
  bool relaxes() const override { return map_cut_ != nullptr; }
  // Of small graphs: theta gives the values of all assignments.
  void further_outputs(int worker, const Answer& answer, double least, std::int64_t most,
                       std::vector<std::int32_t>& outputs) override;
  // The largest is the one whose graph has the most assignments.
  void try_largest(std::int64_t count) override;

 private:
  // What one worker works with.
  struct Desk {
    Vector scores;  // A_x w of the question asked last, where it is kept
    Vector theta;   // with the loss
    Vector mu;      // of a relaxed answer
    Vector losses;  // its loss, cell by cell
    // Of the question asked last: theta or scores, and what its values lack.
    const double* asked = nullptr;
    double constant = 0;
    std::vector<std::pair<double, std::int64_t>> ranked;  // -value and number of assignments
    // Which question `scores` and `graph` belong to; stamp 0: none.
    std::uint64_t stamp = 0;
    std::int64_t example = 0;
    const sculpt_factor_graph* graph = nullptr;  // lent by the features
    std::unordered_set<std::uint64_t> sound;     // topologies that were checked
    sculpt_map_query query = {};                 // of a conversation
    std::vector<std::vector<std::int32_t>> tables;
    std::vector<std::int32_t*> table_data;
  };

  void bind_loss(std::uint32_t offered);
  void bind_frontier(std::uint32_t offered, int threads);
  void ask(int worker, const sculpt_query& query, double enough, Answer& answer) override;
  void ask_relaxed(int worker, const sculpt_query& query, double enough, SparseAccumulator& scratch,
                   SparseVector& psi, Answer& answer) override;
  sculpt_frontier_query frontier_query(int worker, const sculpt_query& query) override;
  sculpt_frontier_query frontier_query_at_zero(int worker, const sculpt_query& query) override;
  void check_labels(int worker, std::int64_t example, const Answer& answer) const override;

  const sculpt_factor_graph& graph(int worker, std::int64_t example);
  void check_graph(Desk& desk, std::int64_t example, const sculpt_factor_graph& graph);
  void check_classes(const Component& who, const GraphDemands& demands, std::int64_t example,
                     const sculpt_factor_graph& graph) const;
  void add_scores(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                  Vector& theta);
  void look_up(int worker, const sculpt_query& query);
  double pose(int worker, const sculpt_query& query, sculpt_map_query& out);
  double loss_of(int worker, const sculpt_query& query, Desk& desk);
  double add_loss(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                  Vector& theta);
  sculpt_frontier_query query_at(int worker, const sculpt_query& query, Desk& desk);
  void add_counts(int worker, const sculpt_query& query, Desk& desk);

  Component& map_solver_;
  Features& features_;
  Loss* loss_;
  bool repeats_;
  Sessions sessions_;
  const sculpt_ext_factor_graph* factor_graph_ = nullptr;
  const sculpt_ext_map_cut* map_cut_ = nullptr;              // NULL: not offered
  const sculpt_ext_factor_loss* factor_loss_ = nullptr;      // NULL: not offered
  const sculpt_ext_factor_counts* factor_counts_ = nullptr;  // NULL: not offered
  GraphDemands solver_demands_;
  GraphDemands frontier_demands_;  // of the map_solver, besides
  GraphDemands loss_demands_;
  GraphDemands count_demands_;
  std::string obstacle_to_loss_;
  std::string obstacle_to_frontier_;
  std::vector<Desk> desks_;  // [threads]
};

}  // namespace sculpt::core
