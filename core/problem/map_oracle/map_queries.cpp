#include "problem/map_oracle/map_queries.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/products.hpp"
#include "problem/map_oracle/given_labels.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

namespace {

// Returns what the missing classes mean for the edges, and what to do.
std::string advice_on(std::uint32_t missing) {
  std::string text;
  const auto add = [&](std::uint32_t classes, const char* meaning) {
    if ((missing & classes) != 0) text += std::string("; ") + meaning;
  };
  add(SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN, "its edges may form cycles or branch");
  add(SCULPT_GRAPH_BINARY, "some variables may not have two states");
  add(SCULPT_GRAPH_ATTRACTIVE,
      "its pairs may reward labels that differ, unless features demand weights that are not "
      "negative (`nonnegative`)");
  return text +
         ": choose a map_solver for all graphs, such as lp or branch_and_bound (for probabilities "
         "belief_propagation), or other features or edges";
}

}  // namespace

MapQueries::MapQueries(const Component& map_solver, Features& features, Loss* loss,
                       bool stores_scores, int threads)
    : map_solver_(map_solver),
      features_(features),
      loss_(loss),
      stores_scores_(stores_scores),
      graphs_(features.component(), threads),
      solver_demands_(solver_demands(map_solver)),
      scratches_(static_cast<std::size_t>(threads)) {
  if (!graphs_.are_offered()) {
    throw Failure(Exit::config, map_solver_.name() + " solves factor graphs; " +
                                    features_.component().name() +
                                    " offers none (" SCULPT_EXT_FACTOR_GRAPH
                                    "): choose an oracle for these features, or other features");
  }
  features_.component().call("factor-graph.classes", -1, [&](sculpt_error* error) {
    return graphs_.table().classes(features_.component().self(), &classes_, error);
  });
  if (!solver_demands_.is_met_by(classes_)) {
    const std::uint32_t missing = solver_demands_.alternatives.front() & ~classes_;
    throw Failure(Exit::config, mismatch(map_solver_.name(), solver_demands_) + advice_on(missing));
  }
  bind_loss();
}

std::string MapQueries::mismatch(const std::string& component, const GraphDemands& demands) const {
  return component + " needs " + demands.text() + "; " + features_.component().name() + " offers " +
         graph_class_names(classes_);
}

// Sets obstacle_to_loss_ if the loss does not split over the graphs.
void MapQueries::bind_loss() {
  if (loss_ == nullptr) {
    obstacle_to_loss_ = map_solver_.name() + " has no loss";
    return;
  }
  const Component& loss = loss_->component();
  factor_loss_ = loss.extension<sculpt_ext_factor_loss>();
  if (factor_loss_ == nullptr) {
    obstacle_to_loss_ = map_solver_.name() + " needs a loss that splits over factors; " +
                        loss.name() + " does not (" SCULPT_EXT_FACTOR_LOSS ")";
    return;
  }
  loss.call("factor-loss.demands", -1, [&](sculpt_error* error) {
    return factor_loss_->demands(loss.self(), &loss_demands_.alternatives.front(), error);
  });
  if (!loss_demands_.is_met_by(classes_)) obstacle_to_loss_ = mismatch(loss.name(), loss_demands_);
}

double MapQueries::make_query(int worker, const sculpt_query& query, sculpt_map_query& out,
                              double weight_scale) {
  WorkerScratch& scratch = this->scratch(worker);
  const bool weighs_loss = query.loss_weight != 0;
  const bool uses_scores = stores_scores_ && !weighs_loss && weight_scale == 1;
  if (stores_scores_) {
    update_scores(worker, query);
    if (!uses_scores) scratch.theta = scratch.scores;
  } else {
    scratch.stamp = 0;
    scratch.graph = &graph(worker, query.example);
    add_scores(worker, query.example, query.weights, *scratch.graph, scratch.theta);
  }
  if (weight_scale != 1) {
    for (double& score : scratch.theta) score *= weight_scale;
  }
  const double constant = weighs_loss ? add_loss(worker, query, *scratch.graph, scratch.theta) : 0;
  fill_query(scratch, uses_scores ? scratch.scores : scratch.theta, constant, query.seed, out);
  if (is_conditioned_ && query.truth.data != nullptr) exclude_other_labels(worker, query, out);
  return constant;
}

void MapQueries::exclude_other_labels(int worker, const sculpt_query& query,
                                      sculpt_map_query& out) {
  const sculpt_factor_graph& graph = *out.graph;
  const sculpt_labels given = query.truth;
  if (given.size != graph.variable_count) {
    map_solver_.refuse(Exit::data, query.example,
                       "its partial truth has " + std::to_string(given.size) +
                           " labels, but its outputs have " + std::to_string(graph.variable_count));
  }
  for (std::int64_t v = 0; v < given.size; ++v) {
    if (given.data[v] < graph.states[v]) continue;
    map_solver_.refuse(Exit::data, query.example,
                       "its given label " + std::to_string(given.data[v]) + " at position " +
                           std::to_string(v) + " is none of its " +
                           std::to_string(graph.states[v]) + " labels");
  }
  Vector& theta = scratch(worker).given;
  theta.assign(out.theta, out.theta + graph.theta_size);
  core::exclude_other_labels(graph, given.data, theta.data());
  out.theta = theta.data();
}

void MapQueries::make_query_without_loss(int worker, const sculpt_query& query,
                                         sculpt_map_query& out) {
  update_scores(worker, query);
  WorkerScratch& scratch = this->scratch(worker);
  fill_query(scratch, scratch.scores, 0, query.seed, out);
}

void MapQueries::make_query_at_zero(int worker, std::int64_t example, std::uint64_t seed,
                                    sculpt_map_query& out) {
  WorkerScratch& scratch = this->scratch(worker);
  scratch.stamp = 0;
  scratch.graph = &graph(worker, example);
  scratch.scores.assign(static_cast<std::size_t>(scratch.graph->theta_size), 0.0);
  fill_query(scratch, scratch.scores, 0, seed, out);
}

void MapQueries::fill_query(WorkerScratch& scratch, const Vector& theta, double constant,
                            std::uint64_t seed, sculpt_map_query& out) {
  scratch.last_theta = theta.data();
  scratch.constant = constant;
  out = {};
  out.struct_size = sizeof out;
  out.graph = scratch.graph;
  out.theta = scratch.last_theta;
  out.seed = seed;
}

// Sets graph and scores of `scratch`, unless the last query has set them.
void MapQueries::update_scores(int worker, const sculpt_query& query) {
  WorkerScratch& scratch = this->scratch(worker);
  const std::uint64_t stamp = query.weights.stamp;
  if (stamp != 0 && scratch.stamp == stamp && scratch.example == query.example) return;
  scratch.stamp = 0;
  scratch.graph = &graph(worker, query.example);
  add_scores(worker, query.example, query.weights, *scratch.graph, scratch.scores);
  scratch.stamp = stamp;
  scratch.example = query.example;
}

void MapQueries::add_scores(int worker, std::int64_t example, const sculpt_weights& weights,
                            const sculpt_factor_graph& graph, Vector& out) {
  out.assign(static_cast<std::size_t>(graph.theta_size), 0.0);
  const FilledArray<double> theta(features_.component(), "theta", out);
  features_.component().call("factor-graph.potentials", example, [&](sculpt_error* error) {
    return graphs_.table().potentials(features_.session(worker), example, weights, theta.data(),
                                      error);
  });
  theta.take();
}

// Adds loss_weight * l to theta and returns the constant of the loss.
double MapQueries::add_loss(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                            Vector& theta) {
  if (factor_loss_ == nullptr) {
    throw Failure(Exit::internal,
                  map_solver_.name() + ": got a query with a loss, but no loss is bound");
  }
  const Component& loss = loss_->component();
  require_classes(loss, loss_demands_, query.example, graph);
  double constant = 0;
  const LentLabels truth(loss, "the labels of the truth", query.truth);
  const FilledArray<double> sums(loss, "theta", theta);
  loss.call("factor-loss.add", query.example, [&](sculpt_error* error) {
    return factor_loss_->add(loss_->session(worker), query.example, &graph, truth.raw(),
                             query.loss_weight, sums.data(), &constant, error);
  });
  sums.take();
  truth.require_unchanged(query.example);
  return constant;
}

double MapQueries::loss_cells(int worker, const sculpt_query& query,
                              const sculpt_factor_graph& graph, Vector& cells) {
  sculpt_query loss_query = query;
  loss_query.loss_weight = 1;
  cells.assign(static_cast<std::size_t>(graph.theta_size), 0.0);
  return add_loss(worker, loss_query, graph, cells);
}

// Not negative: rounding may give a small negative number.
double MapQueries::loss_of(int worker, const sculpt_query& query, const Vector& mu) {
  if (query.truth.data == nullptr || factor_loss_ == nullptr) return 0;
  WorkerScratch& scratch = this->scratch(worker);
  const double constant = loss_cells(worker, query, *scratch.graph, scratch.losses);
  return std::max(0.0, constant + dot(scratch.losses, mu));
}

const sculpt_factor_graph& MapQueries::graph(int worker, std::int64_t example) {
  const sculpt_factor_graph& graph = graphs_.of(worker, features_.session(worker), example);
  require_classes(map_solver_, solver_demands_, example, graph);
  return graph;
}

void MapQueries::require_classes(const Component& component, const GraphDemands& demands,
                                 std::int64_t example, const sculpt_factor_graph& graph) const {
  if (demands.is_met_by(graph.classes)) return;
  component.refuse(Exit::plugin, example,
                   "needs " + demands.text() + ", but the graph of " +
                       features_.component().name() + " declares " +
                       (graph.classes == 0 ? "" : "only ") + graph_class_names(graph.classes));
}

}  // namespace sculpt::core
