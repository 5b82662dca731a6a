#include "sweep/plan/preflight_check.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "launch/run_identity.hpp"
#include "launch/split_sources.hpp"
#include "objective/objective.hpp"
#include "problem/components/dataset.hpp"
#include "problem/prediction/metric_list.hpp"
#include "problem/prediction/probability_metrics.hpp"

namespace sculpt::core {
namespace {

bool varies(const Grid& grid, const std::string& section) {
  return std::any_of(grid.keys().begin(), grid.keys().end(), [&](const GridKey& key) {
    return key.values.size() > 1 && key.is_in(section);
  });
}

// The settings of the first cell of a point.
std::vector<std::string> settings_of(const Grid& grid, std::size_t point,
                                     const HoldOutOptions& hold_out_options) {
  std::vector<std::string> settings = grid.settings(point);
  if (hold_out_options.is_set()) settings.push_back(hold_out_options.setting(0));
  return settings;
}

// The first point of each combination of features, losses, oracles and solvers, whatever the
// parameters of the last two. Metrics depend on nothing else.
std::vector<std::size_t> points_with_other_metrics(const Grid& grid) {
  std::vector<std::size_t> points;
  std::set<std::vector<std::size_t>> known;
  for (std::size_t point = 0; point < grid.size(); ++point) {
    std::vector<std::size_t> positions = grid.positions(point);
    for (std::size_t k = 0; k < positions.size(); ++k) {
      const GridKey& key = grid.keys()[k];
      const bool is_name = key.name == "solver" || key.name == "solver.use" ||
                           key.name == "oracle" || key.name == "oracle.use";
      if (!key.is_in("features") && !key.is_in("loss") && !is_name) positions[k] = 0;
    }
    if (known.insert(positions).second) points.push_back(point);
  }
  return points;
}

// True if the solver minimizes a log-loss. Whether the oracle has probabilities too is checked at
// bind.
bool has_probabilities(const Section& section) {
  const ChosenSolver chosen(section);
  const auto solver = chosen.descriptor.create(chosen.parameters.values());
  return solver->objective({})->log_loss() != nullptr;
}

// True if the oracle gives the probabilities of single labels: map_solvers do, if they have
// probabilities at all. Those of several oracles come from the last.
bool has_marginals(const ProblemSpec& spec) {
  return spec.oracles.back().description->kind == SCULPT_KIND_MAP_SOLVER;
}

// The dataset of all points, and the features and the loss of some. Does a part of what Problem
// does, without the oracle.
class PreflightProblem {
 public:
  PreflightProblem(const ProblemSpec& spec, Console& console)
      : workers_(1),
        services_(callbacks_to(console), workers_),
        dataset_component_(*spec.dataset.description, spec.dataset.parameters, services_),
        dataset_(dataset_component_, workers_.threads()) {
    for (const SplitSource& source : spec.sources) {
      services_.throw_if_cancelled();
      if (source.split != "test") dataset_.load(source);
    }
    bind_and_seal(dataset_component_, {});
  }

  const Dataset& dataset() const { return dataset_; }

  // The metrics of an evaluation with the features and the loss of `spec`.
  std::vector<MetricDirection> metrics(const ProblemSpec& spec, const Section& solver) {
    sculpt_bindings bindings = {};
    bindings.dataset = dataset_component_.ref();
    Component features(*spec.features.description, spec.features.parameters, services_);
    bind_and_seal(features, bindings);
    bindings.features = features.ref();
    Component loss(*spec.loss->description, spec.loss->parameters, services_);
    bind_and_seal(loss, bindings);
    std::vector<MetricDirection> metrics{{"loss", "lower"}};
    std::set<std::string> used_names{"loss"};
    for (const Component* component : {&loss, &dataset_component_}) {
      for (const sculpt_metric& metric : metrics_of(*component).metrics) {
        metrics.emplace_back(unique_name(*component, metric, used_names), better_direction(metric));
      }
    }
    if (has_probabilities(solver)) {
      for (const std::string& name : probability_metric_names(has_marginals(spec))) {
        metrics.emplace_back(name, "lower");
      }
    }
    return metrics;
  }

 private:
  void bind_and_seal(Component& component, sculpt_bindings bindings) {
    services_.throw_if_cancelled();
    bindings.struct_size = sizeof bindings;
    component.bind(bindings);
    component.seal();
  }

  Workers workers_;
  Services services_;
  Component dataset_component_;
  Dataset dataset_;
};

// Refuses a metric of the probabilities of labels if the models have only those of whole outputs.
void require_marginals(const Criterion& criterion, const std::vector<MetricDirection>& metrics) {
  const auto is_among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), criterion.metric) != names.end();
  };
  if (!is_among(probability_metric_names(true)) || is_among(probability_metric_names(false)))
    return;
  const bool has_log_loss = std::any_of(metrics.begin(), metrics.end(), [](const auto& metric) {
    return metric.first == probability_metric_names(false).front();
  });
  if (!has_log_loss) return;
  throw Failure(Exit::usage, "--best: \"" + criterion.metric +
                                 "\" needs the probabilities of single labels, but the oracle "
                                 "computes with whole outputs; use --best " +
                                 probability_metric_names(false).front() + ", or a map_solver");
}

// Refuses the metric if no combination of features and losses has it, or none says which direction
// is better. A sweep ends with this error if the cells find it.
void require_metric(const Criterion& criterion, const Grid& grid, const JsonDocument& document,
                    Registry& registry, const HoldOutOptions& hold_out_options,
                    PreflightProblem& preflight) {
  const std::vector<std::size_t> points = points_with_other_metrics(grid);
  std::vector<MetricDirection> all;
  for (const std::size_t point : points) {
    const Experiment experiment(document,
                                parse_overrides(settings_of(grid, point, hold_out_options)),
                                declared_in(registry));
    const Assembly assembly(experiment, registry);
    std::vector<MetricDirection> metrics;
    try {
      metrics = preflight.metrics(assembly.problem_spec(sources_of(experiment)), experiment.solver);
    } catch (const Failure& failure) {
      if (points.size() == 1 || failure.ends_process()) throw;
      return;  // the cells with these components report it, and others may have the metric
    }
    for (const MetricDirection& metric : metrics) {
      const bool is_directed = !metric.second.empty() || !criterion.direction.empty();
      if (metric.first == criterion.metric && is_directed) return;
      if (std::find(all.begin(), all.end(), metric) == all.end()) all.push_back(metric);
    }
  }
  require_marginals(criterion, all);
  (void)lower_is_better(criterion, all);
}

}  // namespace

void check_before_training(const std::string& config, const Grid& grid,
                           const HoldOutOptions& hold_out_options,
                           const std::optional<Criterion>& criterion, Console& console) {
  if ((!hold_out_options.is_set() && !criterion) || varies(grid, "dataset")) return;
  const JsonDocument document = JsonDocument::read(config);
  const std::vector<Override> overrides = parse_overrides(settings_of(grid, 0, hold_out_options));
  Registry::Settings settings = registry_settings(document, overrides);
  settings.warn = {};  // check_points() has warned
  Registry registry(std::move(settings));
  const Experiment experiment(document, overrides, declared_in(registry));
  const Assembly assembly(experiment, registry);
  const ProblemSpec spec = assembly.problem_spec(sources_of(experiment));
  PreflightProblem preflight(spec, console);
  if (experiment.hold_out) {
    split_examples(*experiment.hold_out, preflight.dataset());
  } else if (criterion && preflight.dataset().split("validation").size() == 0) {
    refuse_nothing_held_out();
  }
  if (!criterion) return;
  require_metric(*criterion, grid, document, registry, hold_out_options, preflight);
}

void refuse_nothing_held_out() {
  throw Failure(Exit::config,
                "--best chooses by held-out data, but nothing is held out; give --folds or "
                "--hold-out, or name a file (--set dataset.validation=FILE)");
}

}  // namespace sculpt::core
