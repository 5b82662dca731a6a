// map_oracle.hpp - the oracle made of a factor graph, a loss that splits over it, and a map_solver.
//
//   theta = A_x w + loss_weight * l(y_i),    value = map_solver(theta) + loss_weight * c(y_i)
//
// with A_x w from features.factor-graph and (l, c) from loss.factor-loss
// (sculpt/ext/factor_graph.h). Made by Problem, which calls bind-time refusals through the
// constructor.
#pragma once

#include <unordered_set>
#include <vector>

#include "problem/features.hpp"
#include "problem/loss.hpp"
#include "problem/oracle.hpp"

namespace sculpt::core {

// "chain, binary" for SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_BINARY; "no class" for 0.
std::string graph_class_names(std::uint32_t classes);

class MapOracle : public Oracle {
 public:
  // Requires sealed components. `loss` may be nullptr: then only queries with loss_weight 0 are
  // answered. Refuses (Exit::config) features without a factor graph, and with `separates` a loss
  // without factor-loss; graphs that lack a class the map_solver or the loss demands.
  MapOracle(Component& map_solver, Features& features, Loss* loss, bool separates, int threads);

  const Component& component() const override { return map_solver_; }

 private:
  void ask(int worker, const sculpt_query& query, Answer& answer) override;
  const sculpt_factor_graph& graph(int worker, std::int64_t example);
  void check_graph(int worker, std::int64_t example, const sculpt_factor_graph& graph);
  void add_loss(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                Vector& theta, double& constant);
  void check_answer(const sculpt_factor_graph& graph, std::int64_t example,
                    const Answer& answer) const;

  Component& map_solver_;
  Features& features_;
  Loss* loss_;
  Sessions sessions_;
  const sculpt_ext_factor_graph* factor_graph_ = nullptr;
  const sculpt_ext_factor_loss* factor_loss_ = nullptr;  // NULL: not offered
  std::uint32_t solver_demands_ = 0;
  std::uint32_t loss_demands_ = 0;
  std::vector<Vector> theta_;                             // [threads]
  std::vector<std::unordered_set<std::uint64_t>> sound_;  // [threads] topologies that were checked
};

}  // namespace sculpt::core
