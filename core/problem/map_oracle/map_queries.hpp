// map_queries.hpp - what a map_solver is asked about an example: its factor graph, and the
// potentials over it.
//
//   theta = A_x w + loss_weight * l(y_i),   and the constant loss_weight * c(y_i) beside it
//
// with A_x w from features.factor-graph and (l, c) from loss.factor-loss
// (sculpt/ext/factor_graph.h). Held by MapOracle; MapExpectations asks through it as well. Binding
// is refused by the constructor where features and map_solver do not go together.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "problem/components/features.hpp"
#include "problem/components/loss.hpp"
#include "problem/map_oracle/graph_demands.hpp"

namespace sculpt::core {

class MapQueries {
 public:
  // As MapOracle has it; all outlive this.
  MapQueries(const Component& map_solver, Features& features, Loss* loss, bool repeats,
             int threads);

  // What keeps a loss_weight from entering theta, or "".
  const std::string& obstacle_to_loss() const { return obstacle_to_loss_; }
  // The classes that every graph has.
  std::uint32_t classes() const { return classes_; }
  // "viterbi needs chain graphs; grid offers pairwise": what `who` demands and the features lack.
  std::string mismatch(const std::string& who, const GraphDemands& demands) const;

  // The question about theta, which lives until the next call of this worker; returns the constant
  // of the loss. [worker]
  double make_query(int worker, const sculpt_query& query, sculpt_map_query& out);
  // Likewise without any loss, and A_x w is kept: asked again at the same w it costs nothing.
  void pose_scores(int worker, const sculpt_query& query, sculpt_map_query& out);
  // Likewise at w = 0.
  void make_query_at_zero(int worker, std::int64_t example, std::uint64_t seed,
                          sculpt_map_query& out);

  // Of the question posed last: what was asked. [worker]
  const sculpt_factor_graph& graph(int worker) const { return *scratch(worker).graph; }
  const double* theta(int worker) const { return scratch(worker).asked; }
  double constant(int worker) const { return scratch(worker).constant; }
  // Delta of mu[graph.theta_size], 0 where the truth is not known. [worker]
  double loss_of(int worker, const sculpt_query& query, const Vector& mu);

  // The graph of an example, which has been looked at: what map_solvers and losses index by. Lent
  // by the features until the worker asks for another. [worker]
  const sculpt_factor_graph& graph(int worker, std::int64_t example);
  // out = A_x w of the weights. [worker]
  void add_scores(int worker, std::int64_t example, const sculpt_weights& weights,
                  const sculpt_factor_graph& graph, Vector& out);
  // Throws Failure(Exit::plugin) if a graph lacks the classes that `who` demands. When they were
  // bound, the features promised these classes for all graphs.
  void require_classes(const Component& who, const GraphDemands& demands, std::int64_t example,
                       const sculpt_factor_graph& graph) const;

 private:
  // What one worker works with.
  struct WorkerScratch {
    Vector scores;  // A_x w of the question asked last, where it is kept
    Vector theta;   // with the loss
    Vector losses;  // of mu, cell by cell
    // Of the question posed last: theta or scores, and what its values lack.
    const double* asked = nullptr;
    double constant = 0;
    // Which question `scores` and `graph` belong to; stamp 0: none.
    std::uint64_t stamp = 0;
    std::int64_t example = 0;
    const sculpt_factor_graph* graph = nullptr;  // lent by the features
    std::unordered_set<std::uint64_t> sound;     // topologies that were checked
  };

  void bind_loss();
  void look_up(int worker, const sculpt_query& query);
  double add_loss(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                  Vector& theta);
  void require_valid(WorkerScratch& scratch, std::int64_t example,
                     const sculpt_factor_graph& graph);
  static void ask_about(WorkerScratch& scratch, const Vector& theta, double constant,
                        std::uint64_t seed, sculpt_map_query& out);
  WorkerScratch& scratch(int worker) { return scratches_[static_cast<std::size_t>(worker)]; }
  const WorkerScratch& scratch(int worker) const {
    return scratches_[static_cast<std::size_t>(worker)];
  }

  const Component& map_solver_;
  Features& features_;
  Loss* loss_;
  bool repeats_;
  std::uint32_t classes_ = 0;
  const sculpt_ext_factor_graph* factor_graph_ = nullptr;
  const sculpt_ext_factor_loss* factor_loss_ = nullptr;  // NULL: not offered
  GraphDemands solver_demands_;
  GraphDemands loss_demands_;
  std::string obstacle_to_loss_;
  std::vector<WorkerScratch> scratches_;  // [threads]
};

}  // namespace sculpt::core
