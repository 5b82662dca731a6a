#include "problem/map_oracle.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/products.hpp"
#include "problem/graph_check.hpp"
#include "problem/lent_cut.hpp"

namespace sculpt::core {

namespace {

// What one demands of the other's graphs, e.g. "viterbi needs chain graphs; grid offers pairwise".
std::string mismatch(const std::string& who, const GraphDemands& demands, const Component& features,
                     std::uint32_t offered) {
  return who + " needs " + demands.text() + "; " + features.name() + " offers " +
         graph_class_names(offered);
}

// Likewise of a map_solver, with what that means of the edges and what to do about it.
std::string advised(const Component& map_solver, const GraphDemands& demands,
                    const Component& features, std::uint32_t offered) {
  const std::uint32_t missing = demands.alternatives.front() & ~offered;
  std::string text = mismatch(map_solver.name(), demands, features, offered);
  const auto add = [&](std::uint32_t classes, const char* meaning) {
    if ((missing & classes) != 0) text += std::string("; ") + meaning;
  };
  add(SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN, "its edges may form cycles or branch");
  add(SCULPT_GRAPH_BINARY, "there are not two states everywhere");
  add(SCULPT_GRAPH_ATTRACTIVE,
      "its pairs may reward labels that differ, unless features keep their weights from being "
      "negative (`nonnegative`)");
  return text + ": take a map_solver for other graphs, or other features or edges";
}

}  // namespace

MapOracle::MapOracle(Component& map_solver, Features& features, Loss* loss, bool repeats,
                     int threads)
    : map_solver_(map_solver),
      features_(features),
      loss_(loss),
      repeats_(repeats),
      sessions_(map_solver, threads),
      desks_(static_cast<std::size_t>(threads)) {
  guard(map_solver, threads);
  factor_graph_ = features_.component().extension<sculpt_ext_factor_graph>();
  if (factor_graph_ == nullptr) {
    throw Failure(Exit::config, map_solver_.name() + " solves factor graphs; " +
                                    features_.component().name() +
                                    " offers none (" SCULPT_EXT_FACTOR_GRAPH
                                    "): choose an oracle of its own, or other features");
  }
  map_cut_ = map_solver_.extension<sculpt_ext_map_cut>();
  solver_demands_ = solver_demands(map_solver_);
  std::uint32_t offered = 0;
  features_.component().call("factor-graph.classes", -1, [&](sculpt_error* error) {
    return factor_graph_->classes(features_.component().self(), &offered, error);
  });
  if (!solver_demands_.met_by(offered)) {
    throw Failure(Exit::config,
                  advised(map_solver_, solver_demands_, features_.component(), offered));
  }
  if (loss_ == nullptr) {
    obstacle_to_loss_ = obstacle_to_frontier_ = map_solver_.name() + " was given no loss";
    return;
  }
  bind_loss(offered);
  bind_frontier(offered, threads);
}

// Finds out whether the loss splits over graphs with the classes offered.
void MapOracle::bind_loss(std::uint32_t offered) {
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
  if (!loss_demands_.met_by(offered)) {
    obstacle_to_loss_ = mismatch(loss.name(), loss_demands_, features_.component(), offered);
  }
}

// Makes the frontier when map_solver and loss allow.
void MapOracle::bind_frontier(std::uint32_t offered, int threads) {
  const Component& loss = loss_->component();
  if (map_solver_.extension<sculpt_ext_frontier>() == nullptr) {
    obstacle_to_frontier_ = map_solver_.name() + " offers no frontier (" SCULPT_EXT_FRONTIER ")";
    return;
  }
  frontier_demands_.alternatives = {solver_frontier_demands(map_solver_)};
  if (!frontier_demands_.met_by(offered)) {
    obstacle_to_frontier_ = mismatch("the frontier of " + map_solver_.name(), frontier_demands_,
                                     features_.component(), offered);
    return;
  }
  const std::optional<CountLoss> counts = CountLoss::of(*loss_);
  factor_counts_ = loss.extension<sculpt_ext_factor_counts>();
  if (!counts || factor_counts_ == nullptr) {
    obstacle_to_frontier_ = loss.name() + " has no counts that split over factors (" +
                            (counts ? SCULPT_EXT_FACTOR_COUNTS : SCULPT_EXT_COUNT_LOSS) + ")";
    return;
  }
  loss.call("factor-counts.demands", -1, [&](sculpt_error* error) {
    return factor_counts_->demands(loss.self(), &count_demands_.alternatives.front(), error);
  });
  if (!count_demands_.met_by(offered)) {
    obstacle_to_frontier_ = mismatch(loss.name(), count_demands_, features_.component(), offered);
    return;
  }
  offer(std::make_unique<Frontier>(map_solver_, sessions_, *counts, threads));
}

// Whatever else is wrong with the answer is found in training, where it is told with its cause.
void MapOracle::try_largest(std::int64_t count) {
  std::int64_t largest = 0;
  double most = -1;
  for (std::int64_t example = 0; example < count; ++example) {
    const sculpt_factor_graph& one = graph(0, example);
    double bits = 0;  // of the number of an assignment
    for (std::int64_t v = 0; v < one.variable_count; ++v) bits += std::log2(one.states[v]);
    if (!(bits > most)) continue;
    most = bits;
    largest = example;
  }
  if (most < 0) return;
  Desk& desk = desks_.front();
  desk.stamp = 0;
  desk.graph = &graph(0, largest);
  desk.theta.assign(static_cast<std::size_t>(desk.graph->theta_size), 0.0);
  sculpt_map_query query = {};
  query.struct_size = sizeof query;
  query.graph = desk.graph;
  query.theta = desk.theta.data();
  Answer answer;
  try {
    map_solver_.call("solve", largest, [&](sculpt_error* error) {
      return map_solver_.api<sculpt_map_solver_api>().solve(sessions_.of(0), &query, answer.raw(),
                                                            error);
    });
  } catch (const Failure& failure) {
    if (failure.exit() == Exit::config) throw;
  }
}

void MapOracle::ask(int worker, const sculpt_query& query, double, Answer& answer) {
  sculpt_map_query map_query = {};
  const double constant = pose(worker, query, map_query);
  map_solver_.call("solve", query.example, [&](sculpt_error* error) {
    return map_solver_.api<sculpt_map_solver_api>().solve(sessions_.of(worker), &map_query,
                                                          answer.raw(), error);
  });
  answer.raw()->value += constant;
  answer.raw()->bound += constant;
}

// Graphs with so few assignments are looked through once more.
void MapOracle::further_outputs(int worker, const Answer& answer, double least, std::int64_t most,
                                std::vector<std::int32_t>& outputs) {
  constexpr std::int64_t most_assignments = 256;
  outputs.clear();
  Desk& desk = desks_[static_cast<std::size_t>(worker)];
  const sculpt_factor_graph& graph = *desk.graph;
  std::int64_t count = 1;
  for (std::int64_t v = 0; v < graph.variable_count && count <= most_assignments; ++v) {
    count *= graph.states[v];
  }
  if (count > most_assignments || answer.fractional()) return;
  const auto size = static_cast<std::size_t>(graph.variable_count);
  const auto assignment = [&](std::int64_t number, std::int32_t* y) {
    for (std::size_t v = size; v-- > 0; number /= graph.states[v]) {
      y[v] = static_cast<std::int32_t>(number % graph.states[v]);
    }
  };
  std::vector<std::int32_t> y(size);
  desk.ranked.clear();
  for (std::int64_t number = 0; number < count; ++number) {
    assignment(number, y.data());
    const double value = desk.constant + sculpt::assignment_score(graph, desk.asked, y.data());
    if (value > least && !std::equal(y.begin(), y.end(), answer.labels().data)) {
      desk.ranked.emplace_back(-value, number);
    }
  }
  const std::size_t kept = std::min(desk.ranked.size(), static_cast<std::size_t>(most));
  std::partial_sort(desk.ranked.begin(), desk.ranked.begin() + static_cast<std::ptrdiff_t>(kept),
                    desk.ranked.end());
  outputs.resize(kept * size);
  for (std::size_t k = 0; k < kept; ++k) {
    assignment(desk.ranked[k].second, outputs.data() + k * size);
  }
}

void MapOracle::ask_relaxed(int worker, const sculpt_query& query, double,
                            SparseAccumulator& scratch, SparseVector& psi, Answer& answer) {
  Desk& desk = desks_[static_cast<std::size_t>(worker)];
  sculpt_map_query map_query = {};
  const double constant = pose(worker, query, map_query);
  desk.mu.assign(static_cast<std::size_t>(desk.graph->theta_size), 0.0);
  LentCut cut(answer);
  map_solver_.call("cut", query.example, [&](sculpt_error* error) {
    return map_cut_->cut(sessions_.of(worker), &map_query, desk.mu.data(), cut.raw(), error);
  });
  cut.take();
  answer.raw()->value += constant;
  answer.raw()->bound += constant;
  if (!answer.fractional() || answer.has(SCULPT_ANSWER_NO_OUTPUT)) return;
  features_.pull_back(worker, query.example, desk.mu.data(), scratch, psi);
  answer.origin.loss = loss_of(worker, query, desk);
}

// Delta of mu. Rounding may leave a little less than nothing of it.
double MapOracle::loss_of(int worker, const sculpt_query& query, Desk& desk) {
  if (query.truth.data == nullptr || factor_loss_ == nullptr) return 0;
  sculpt_query whole = query;
  whole.loss_weight = 1;
  desk.losses.assign(desk.mu.size(), 0.0);
  const double constant = add_loss(worker, whole, *desk.graph, desk.losses);
  return std::max(0.0, constant + dot(desk.losses, desk.mu));
}

// The question about theta, which it writes; returns the constant of the loss.
double MapOracle::pose(int worker, const sculpt_query& query, sculpt_map_query& out) {
  Desk& desk = desks_[static_cast<std::size_t>(worker)];
  const bool weighs_loss = query.loss_weight != 0;
  if (repeats_) {
    look_up(worker, query);
    if (weighs_loss) desk.theta = desk.scores;
  } else {
    desk.graph = &graph(worker, query.example);
    add_scores(worker, query, *desk.graph, desk.theta);
  }
  const double constant = weighs_loss ? add_loss(worker, query, *desk.graph, desk.theta) : 0;
  out.struct_size = sizeof out;
  out.graph = desk.graph;
  out.theta = repeats_ && !weighs_loss ? desk.scores.data() : desk.theta.data();
  out.seed = query.seed;
  desk.asked = out.theta;
  desk.constant = constant;
  return constant;
}

sculpt_frontier_query MapOracle::frontier_query(int worker, const sculpt_query& query) {
  look_up(worker, query);
  return query_at(worker, query, desks_[static_cast<std::size_t>(worker)]);
}

sculpt_frontier_query MapOracle::frontier_query_at_zero(int worker, const sculpt_query& query) {
  Desk& desk = desks_[static_cast<std::size_t>(worker)];
  desk.stamp = 0;
  desk.graph = &graph(worker, query.example);
  desk.scores.assign(static_cast<std::size_t>(desk.graph->theta_size), 0.0);
  return query_at(worker, query, desk);
}

// About the desk's graph and scores.
sculpt_frontier_query MapOracle::query_at(int worker, const sculpt_query& query, Desk& desk) {
  add_counts(worker, query, desk);
  desk.query = {};
  desk.query.struct_size = sizeof desk.query;
  desk.query.graph = desk.graph;
  desk.query.theta = desk.scores.data();
  desk.query.seed = query.seed;
  sculpt_frontier_query asked = {};
  asked.map = &desk.query;
  asked.tables = desk.table_data.data();
  return asked;
}

// Sets the desk's graph and scores, unless they are there from the last question.
void MapOracle::look_up(int worker, const sculpt_query& query) {
  Desk& desk = desks_[static_cast<std::size_t>(worker)];
  const std::uint64_t stamp = query.weights.stamp;
  if (stamp != 0 && desk.stamp == stamp && desk.example == query.example) return;
  desk.stamp = 0;
  desk.graph = &graph(worker, query.example);
  add_scores(worker, query, *desk.graph, desk.scores);
  desk.stamp = stamp;
  desk.example = query.example;
}

// theta = A_x w
void MapOracle::add_scores(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                           Vector& theta) {
  theta.assign(static_cast<std::size_t>(graph.theta_size), 0.0);
  features_.component().call("factor-graph.potentials", query.example, [&](sculpt_error* error) {
    return factor_graph_->potentials(features_.session(worker), query.example, query.weights,
                                     theta.data(), error);
  });
}

// Returns the constant of the loss.
double MapOracle::add_loss(int worker, const sculpt_query& query, const sculpt_factor_graph& graph,
                           Vector& theta) {
  if (factor_loss_ == nullptr) {
    throw Failure(Exit::internal, map_solver_.name() + ": asked for a loss that was not bound");
  }
  const Component& loss = loss_->component();
  check_classes(loss, loss_demands_, query.example, graph);
  double constant = 0;
  loss.call("factor-loss.add", query.example, [&](sculpt_error* error) {
    return factor_loss_->add(loss_->session(worker), query.example, &graph, query.truth,
                             query.loss_weight, theta.data(), &constant, error);
  });
  return constant;
}

// The tables of the counts of this truth over the cells of theta.
void MapOracle::add_counts(int worker, const sculpt_query& query, Desk& desk) {
  const Component& loss = loss_->component();
  const std::span<const sculpt_count> counts = count_loss().counts();
  const sculpt_factor_graph& graph = *desk.graph;
  check_classes(loss, count_demands_, query.example, graph);
  check_classes(map_solver_, frontier_demands_, query.example, graph);
  desk.tables.resize(counts.size());
  desk.table_data.clear();
  for (std::vector<std::int32_t>& table : desk.tables) {
    table.assign(static_cast<std::size_t>(graph.theta_size), 0);
    desk.table_data.push_back(table.data());
  }
  loss.call("factor-counts.add", query.example, [&](sculpt_error* error) {
    return factor_counts_->add(loss_->session(worker), query.example, &graph, query.truth,
                               desk.table_data.data(), error);
  });
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const std::vector<std::int32_t>& table = desk.tables[k];
    const auto negative =
        std::find_if(table.begin(), table.end(), [](std::int32_t count) { return count < 0; });
    if (negative == table.end()) continue;
    loss.refuse(Exit::plugin, query.example,
                "counts " + std::to_string(*negative) + " " + counts[k].name + " in cell " +
                    std::to_string(negative - table.begin()) +
                    " of the factor tables; counts must not be negative");
  }
}

const sculpt_factor_graph& MapOracle::graph(int worker, std::int64_t example) {
  const sculpt_factor_graph* graph = nullptr;
  const Component& features = features_.component();
  features.call("factor-graph.graph", example, [&](sculpt_error* error) {
    return factor_graph_->graph(features_.session(worker), example, &graph, error);
  });
  if (graph == nullptr) features.refuse(Exit::plugin, example, "gives no factor graph");
  check_graph(desks_[static_cast<std::size_t>(worker)], example, *graph);
  check_classes(map_solver_, solver_demands_, example, *graph);
  return *graph;
}

// Map_solvers and losses index by the graph without a look, so a wrong one would end the process.
void MapOracle::check_graph(Desk& desk, std::int64_t example, const sculpt_factor_graph& graph) {
  if (graph.topology != 0 && desk.sound.count(graph.topology) > 0) return;
  const std::string fault = factor_graph_fault(graph);
  if (!fault.empty()) features_.component().refuse(Exit::plugin, example, fault);
  if (graph.topology != 0) desk.sound.insert(graph.topology);
}

// The graph of an example may be less than what was promised of all.
void MapOracle::check_classes(const Component& who, const GraphDemands& demands,
                              std::int64_t example, const sculpt_factor_graph& graph) const {
  if (demands.met_by(graph.classes)) return;
  who.refuse(Exit::plugin, example,
             "needs " + demands.text() + "; " + features_.component().name() +
                 " gives a graph of " + graph_class_names(graph.classes));
}

void MapOracle::check_labels(int worker, std::int64_t example, const Answer& answer) const {
  const sculpt_factor_graph& graph = *desks_[static_cast<std::size_t>(worker)].graph;
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
