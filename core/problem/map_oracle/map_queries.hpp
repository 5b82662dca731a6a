// map_queries.hpp - builds the query of a map_solver about an example: its factor graph and the
// potentials over it.
//
//   theta = A_x w + loss_weight * l(y_i),   and the separate constant loss_weight * c(y_i)
//
// A_x w comes from features.factor-graph, and (l, c) from loss.factor-loss
// (sculpt/ext/factor_graph.h). Held by MapOracle; also used by MapExpectations. The constructor
// throws if features and map_solver do not fit together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parallel/cache_line.hpp"
#include "problem/components/factor_graphs.hpp"
#include "problem/components/features.hpp"
#include "problem/components/loss.hpp"
#include "problem/map_oracle/graph_demands.hpp"

namespace sculpt::core {

class MapQueries {
 public:
  // Arguments as for MapOracle. All outlive this.
  MapQueries(const Component& map_solver, Features& features, Loss* loss, bool stores_scores,
             int threads);

  // Returns why a loss_weight cannot enter theta, or "".
  const std::string& obstacle_to_loss() const { return obstacle_to_loss_; }
  // The classes that every graph of the features has.
  std::uint32_t classes() const { return classes_; }
  // Returns "viterbi needs chain graphs; grid offers pairwise": the demands of `component`, and
  // the classes that the features have.
  std::string mismatch(const std::string& component, const GraphDemands& demands) const;

  // Fills the query about theta and returns the constant of the loss. theta lives until the next
  // call of this worker. `weight_scale`: A_x w is multiplied by it. [worker]
  double make_query(int worker, const sculpt_query& query, sculpt_map_query& out,
                    double weight_scale = 1);
  // Fills the query without the loss, and stores A_x w: another query at the same w does not
  // compute it again. [worker]
  void make_query_without_loss(int worker, const sculpt_query& query, sculpt_map_query& out);
  // Fills the query without the loss, at w = 0. [worker]
  void make_query_at_zero(int worker, std::int64_t example, std::uint64_t seed,
                          sculpt_map_query& out);

  // Lowers the scores of all outputs that disagree with the partial truth of the query, so far that
  // even all of them together have a probability below exp(-40). The other scores stay. Throws
  // Failure(Exit::data) for a truth that is no output. [worker]
  void exclude_other_labels(int worker, const sculpt_query& query, sculpt_map_query& out);
  // From now on make_query() does so, if the query has a truth. [main]
  void condition_on_truths() { is_conditioned_ = true; }

  // Parts of the last query of this worker. [worker]
  const sculpt_factor_graph& graph(int worker) const { return *scratch(worker).graph; }
  const double* theta(int worker) const { return scratch(worker).last_theta; }
  double constant(int worker) const { return scratch(worker).constant; }
  // Returns the constant c of Delta = c + <cells, z>, and sets the cells. Requires a truth, and
  // obstacle_to_loss() == "". [worker]
  double loss_cells(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                    Vector& cells);
  // Returns Delta of mu[graph.theta_size], 0 if the truth is not known. [worker]
  double loss_of(int worker, const sculpt_query& query, const Vector& mu);

  // Returns the checked graph of an example. Plugins of kind map_solver and losses index by it
  // without a check. Owned by the features until the worker asks for another graph. [worker]
  const sculpt_factor_graph& graph(int worker, std::int64_t example);
  // out = A_x w of `weights`. [worker]
  void add_scores(int worker, std::int64_t example, const sculpt_weights& weights,
                  const sculpt_factor_graph& graph, Vector& out);
  // Throws Failure(Exit::plugin) if a graph lacks the classes that `component` demands. At bind,
  // the features promised these classes for all graphs.
  void require_classes(const Component& component, const GraphDemands& demands,
                       std::int64_t example, const sculpt_factor_graph& graph) const;

 private:
  // Memory of one worker.
  struct alignas(cache_line) WorkerScratch {
    Vector scores;  // A_x w of the last query, if stored.
    Vector theta;   // A_x w with the loss.
    Vector losses;  // The cells of the loss, for the Delta of mu.
    Vector given;   // theta without the outputs that a partial truth excludes.
    // Of the last query: its theta, and the constant that its values do not include.
    const double* last_theta = nullptr;
    double constant = 0;
    // The weights and the example of `scores` and `graph`. stamp 0: none.
    std::uint64_t stamp = 0;
    std::int64_t example = 0;
    const sculpt_factor_graph* graph = nullptr;  // owned by the features
  };

  void bind_loss();
  void update_scores(int worker, const sculpt_query& query);
  double add_loss(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                  Vector& theta);
  static void fill_query(WorkerScratch& scratch, const Vector& theta, double constant,
                         std::uint64_t seed, sculpt_map_query& out);
  WorkerScratch& scratch(int worker) { return scratches_[static_cast<std::size_t>(worker)]; }
  const WorkerScratch& scratch(int worker) const {
    return scratches_[static_cast<std::size_t>(worker)];
  }

  const Component& map_solver_;
  Features& features_;
  Loss* loss_;
  bool stores_scores_;
  bool is_conditioned_ = false;
  std::uint32_t classes_ = 0;
  FactorGraphs graphs_;
  const sculpt_ext_factor_loss* factor_loss_ = nullptr;  // nullptr: not offered
  GraphDemands solver_demands_;
  GraphDemands loss_demands_;
  std::string obstacle_to_loss_;
  std::vector<WorkerScratch> scratches_;  // [threads]
};

}  // namespace sculpt::core
