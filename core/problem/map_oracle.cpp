#include "problem/map_oracle.hpp"

#include <array>
#include <utility>

#include "problem/graph_check.hpp"

namespace sculpt::core {

namespace {

constexpr std::array<std::pair<std::uint32_t, const char*>, 6> class_names = {
    {{SCULPT_GRAPH_PAIRWISE, "pairwise"},
     {SCULPT_GRAPH_FOREST, "forest"},
     {SCULPT_GRAPH_CHAIN, "chain"},
     {SCULPT_GRAPH_BINARY, "binary"},
     {SCULPT_GRAPH_ATTRACTIVE, "attractive"},
     {SCULPT_GRAPH_SINGLE, "single"}}};

// What one demands of the other's graphs, e.g. "viterbi needs chain graphs; grid offers pairwise".
std::string mismatch(const Component& who, std::uint32_t demands, const Component& features,
                     std::uint32_t offered) {
  return who.name() + " needs " + graph_class_names(demands) + " graphs; " + features.name() +
         " offers " + graph_class_names(offered);
}

}  // namespace

std::string graph_class_names(std::uint32_t classes) {
  std::string names;
  for (const auto& [bit, name] : class_names) {
    if ((classes & bit) != 0) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names.empty() ? "no class" : names;
}

MapOracle::MapOracle(Component& map_solver, Features& features, Loss* loss, bool separates,
                     int threads)
    : map_solver_(map_solver),
      features_(features),
      loss_(loss),
      sessions_(map_solver, threads),
      theta_(static_cast<std::size_t>(threads)),
      sound_(static_cast<std::size_t>(threads)) {
  factor_graph_ = features_.component().extension<sculpt_ext_factor_graph>();
  if (factor_graph_ == nullptr) {
    throw Failure(Exit::config, map_solver_.name() + " solves factor graphs; " +
                                    features_.component().name() +
                                    " offers none (sculpt.factor-graph/1): choose an oracle of "
                                    "its own, or other features");
  }
  if (loss_ != nullptr) {
    factor_loss_ = loss_->component().extension<sculpt_ext_factor_loss>();
    if (separates && factor_loss_ == nullptr) {
      throw Failure(Exit::config, map_solver_.name() + " needs a loss that splits over factors; " +
                                      loss_->component().name() +
                                      " does not (sculpt.factor-loss/1): choose another loss, or "
                                      "an oracle that knows this one");
    }
  }
  map_solver_.call(-1, [&](sculpt_error* error) {
    return map_solver_.api<sculpt_map_solver_api>().demands(map_solver_.self(), &solver_demands_,
                                                            error);
  });
  if (factor_loss_ != nullptr) {
    loss_->component().call(-1, [&](sculpt_error* error) {
      return factor_loss_->demands(loss_->component().self(), &loss_demands_, error);
    });
  }
  std::uint32_t offered = 0;
  features_.component().call(-1, [&](sculpt_error* error) {
    return factor_graph_->classes(features_.component().self(), &offered, error);
  });
  if ((solver_demands_ & ~offered) != 0) {
    throw Failure(Exit::config,
                  mismatch(map_solver_, solver_demands_, features_.component(), offered));
  }
  if (separates && (loss_demands_ & ~offered) != 0) {
    throw Failure(Exit::config,
                  mismatch(loss_->component(), loss_demands_, features_.component(), offered));
  }
}

void MapOracle::ask(int worker, const sculpt_query& query, Answer& answer) {
  const std::int64_t example = query.example;
  Vector& theta = theta_[static_cast<std::size_t>(worker)];
  const sculpt_factor_graph& lent = graph(worker, example);
  theta.assign(static_cast<std::size_t>(lent.theta_size), 0.0);
  features_.component().call(example, [&](sculpt_error* error) {
    return factor_graph_->potentials(features_.session(worker), example, query.weights,
                                     theta.data(), error);
  });
  double constant = 0;
  if (query.loss_weight != 0) add_loss(worker, query, lent, theta, constant);
  sculpt_map_query map_query = {};
  map_query.struct_size = sizeof map_query;
  map_query.graph = &lent;
  map_query.theta = theta.data();
  map_query.seed = query.seed;
  map_solver_.call(example, [&](sculpt_error* error) {
    return map_solver_.api<sculpt_map_solver_api>().solve(sessions_.of(worker), &map_query,
                                                          answer.raw(), error);
  });
  if (answer.has(SCULPT_ANSWER_NO_OUTPUT)) return;
  check_answer(lent, example, answer);
  answer.raw()->value += constant;
  answer.raw()->bound += constant;
}

void MapOracle::add_loss(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                         Vector& theta, double& constant) {
  if (factor_loss_ == nullptr) {
    throw Failure(Exit::internal, map_solver_.name() + ": asked for a loss that was not bound");
  }
  if ((loss_demands_ & ~graph.classes) != 0) {
    loss_->component().refuse(Exit::plugin, query.example,
                              "needs " + graph_class_names(loss_demands_) + " graphs; " +
                                  features_.component().name() + " gives a graph of " +
                                  graph_class_names(graph.classes));
  }
  loss_->component().call(query.example, [&](sculpt_error* error) {
    return factor_loss_->add(loss_->session(worker), query.example, &graph, query.truth,
                             query.loss_weight, theta.data(), &constant, error);
  });
}

const sculpt_factor_graph& MapOracle::graph(int worker, std::int64_t example) {
  const sculpt_factor_graph* graph = nullptr;
  const Component& features = features_.component();
  features.call(example, [&](sculpt_error* error) {
    return factor_graph_->graph(features_.session(worker), example, &graph, error);
  });
  if (graph == nullptr) features.refuse(Exit::plugin, example, "gives no factor graph");
  check_graph(worker, example, *graph);
  if ((solver_demands_ & ~graph->classes) != 0) {
    map_solver_.refuse(Exit::plugin, example,
                       "needs " + graph_class_names(solver_demands_) + " graphs; " +
                           features.name() + " gives a graph of " +
                           graph_class_names(graph->classes));
  }
  return *graph;
}

// Map_solvers and losses index by the graph without a look, so a wrong one would end the process.
void MapOracle::check_graph(int worker, std::int64_t example, const sculpt_factor_graph& graph) {
  auto& sound = sound_[static_cast<std::size_t>(worker)];
  if (graph.topology != 0 && sound.count(graph.topology) > 0) return;
  const std::string fault = factor_graph_fault(graph);
  if (!fault.empty()) features_.component().refuse(Exit::plugin, example, fault);
  if (graph.topology != 0) sound.insert(graph.topology);
}

void MapOracle::check_answer(const sculpt_factor_graph& graph, std::int64_t example,
                             const Answer& answer) const {
  const sculpt_labels labels = answer.labels();
  if (labels.size != graph.variable_count || !answer.sound()) {
    map_solver_.refuse(Exit::plugin, example,
                       "gives " + std::to_string(labels.size) + " labels for " +
                           std::to_string(graph.variable_count) + " variables");
  }
  for (std::int64_t v = 0; v < labels.size; ++v) {
    if (labels.data[v] < 0 || labels.data[v] >= graph.states[v]) {
      map_solver_.refuse(Exit::plugin, example,
                         "gives label " + std::to_string(labels.data[v]) + " to variable " +
                             std::to_string(v) + " of " + std::to_string(graph.states[v]) +
                             " states");
    }
  }
}

}  // namespace sculpt::core
