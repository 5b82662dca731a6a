#include "batch/loaded_map_solver.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "batch/score_range.hpp"
#include "problem/map_oracle/map_expectations.hpp"

namespace sculpt::core {

namespace {

Registry::Settings settings_of(const LoadedMapSolver::Options& options) {
  Registry::Settings settings;
  settings.plugin_path = options.plugin_path;
  settings.experiment_folder = std::filesystem::current_path();
  settings.warn = [&options](const std::string& text) {
    if (options.log) options.log(SCULPT_LOG_WARNING, text);
  };
  return settings;
}

CheckedParameters parameters_of(const LoadedMapSolver::Options& options,
                                const sculpt_component& component) {
  const JsonDocument keys = JsonDocument::parse(
      options.parameters, {"parameters", std::filesystem::current_path().string()});
  if (!keys.json().is_object()) {
    refuse(keys.position(""),
           "the parameters must be a JSON object, such as {\"max_cells\": 1000}");
  }
  CheckedParameters parameters(
      {component.parameters, static_cast<std::size_t>(component.parameter_count)}, keys,
      short_name(component));
  for (const std::string& warning : parameters.warnings()) {
    if (options.log) options.log(SCULPT_LOG_WARNING, warning);
  }
  return parameters;
}

int threads_of(const LoadedMapSolver::Options& options, const sculpt_component& component) {
  return (component.traits & SCULPT_TRAIT_SERIAL) != 0 ? 1 : options.threads;
}

}  // namespace

LoadedMapSolver::LoadedMapSolver(const Options& options)
    : found_(Registry(settings_of(options)).find(SCULPT_KIND_MAP_SOLVER, options.name)),
      parameters_(parameters_of(options, *found_.component)),
      workers_(threads_of(options, *found_.component)),
      services_({options.log, [this] { return is_stopped_.load(std::memory_order_relaxed); }, {}},
                workers_),
      component_(*found_.component, parameters_.values(), services_),
      sessions_(component_, workers_.threads()) {
  sculpt_bindings bindings = {};
  bindings.struct_size = sizeof bindings;
  component_.bind(bindings);
  component_.seal();
  demands_ = solver_demands(component_);
  expectation_ = component_.extension<sculpt_ext_map_expectation>();
}

bool LoadedMapSolver::require_graphs(const BatchGraphs& graphs) const {
  bool demands_attractive = false;
  for (const std::int64_t example : graphs.first_examples()) {
    const std::uint32_t classes = graphs.of(example).classes;
    if (demands_.is_met_by(classes)) continue;
    demands_attractive = true;
    if (demands_.is_met_by(classes | SCULPT_GRAPH_ATTRACTIVE)) continue;
    throw Failure(Exit::config,
                  name() + " needs " + demands_.text() + "; the graph of example " +
                      std::to_string(example) +
                      " has these classes: " + graph_class_names(classes) +
                      "; choose a map_solver for all graphs, such as lp or branch_and_bound (for "
                      "probabilities belief_propagation), or other graphs");
  }
  return demands_attractive;
}

void LoadedMapSolver::require_marginals(const std::string& purpose) const {
  if (expectation_ != nullptr) return;
  throw Failure(Exit::config, purpose + " needs log Z and marginals; " + name() +
                                  " has none (" SCULPT_EXT_MAP_EXPECTATION
                                  "): choose a map_solver that has them, such as viterbi for "
                                  "chains and forests or belief_propagation, or the loss hinge");
}

void LoadedMapSolver::solve(int worker, std::int64_t example, const sculpt_map_query& query,
                            Answer& answer) {
  answer.clear();
  component_.call("solve", example, [&](sculpt_error* error) {
    return component_.api<sculpt_map_solver_api>().solve(sessions_.for_worker(worker), &query,
                                                         answer.raw(), error);
  });
  check_labels(example, *query.graph, answer);
}

// The value of the answer is not read. The caller computes it from the labels.
void LoadedMapSolver::check_labels(std::int64_t example, const sculpt_factor_graph& graph,
                                   const Answer& answer) const {
  if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
    component_.refuse(Exit::plugin, example, "gives no output, but every variable has a state");
  }
  const sculpt_labels labels = answer.labels();
  if (labels.size != graph.variable_count || !answer.has_valid_size()) {
    component_.refuse(Exit::plugin, example,
                      "gives " + std::to_string(labels.size) + " labels, for a graph of " +
                          std::to_string(graph.variable_count) + " variables");
  }
  for (std::int64_t v = 0; v < labels.size; ++v) {
    if (labels.data[v] >= 0 && labels.data[v] < graph.states[v]) continue;
    component_.refuse(Exit::plugin, example,
                      "gives label " + std::to_string(labels.data[v]) + " to variable " +
                          std::to_string(v) + ", which has " + std::to_string(graph.states[v]));
  }
  if (answer.has_flag(SCULPT_ANSWER_BOUND) && !std::isfinite(answer.bound())) {
    component_.refuse(Exit::plugin, example,
                      "the bound of its answer is " + std::to_string(answer.bound()));
  }
}

LogZ LoadedMapSolver::mean(int worker, std::int64_t example, const sculpt_map_query& query,
                           Vector& mu) {
  mu.assign(static_cast<std::size_t>(query.graph->theta_size), std::nan(""));
  sculpt_log_z log_z = {std::nan(""), 0, 0};
  component_.call("map-expectation.mean", example, [&](sculpt_error* error) {
    return expectation_->mean(sessions_.for_worker(worker), &query, &log_z, mu.data(), error);
  });
  if (!std::isfinite(log_z.value)) {
    component_.refuse(Exit::plugin, example,
                      "returns " + std::to_string(log_z.value) + " for log Z; it must be finite");
  }
  const std::size_t wrong = first_out_of_range(mu);
  if (wrong < mu.size()) {
    component_.refuse(Exit::plugin, example,
                      "gives " + std::to_string(mu[wrong]) + " for E[z] in cell " +
                          std::to_string(wrong) + " of theta; it must write all of its " +
                          std::to_string(mu.size()) + " cells");
  }
  return {log_z.value, (log_z.flags & SCULPT_LOG_Z_EXACT) != 0};
}

}  // namespace sculpt::core
