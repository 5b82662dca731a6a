#include "sweep/plan/preflight_check.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "launch/assembly.hpp"
#include "problem/components/dataset.hpp"
#include "problem/prediction/metric_list.hpp"

namespace sculpt::core {
namespace {

bool varies(const Grid& grid, const std::string& section) {
  return std::any_of(grid.keys().begin(), grid.keys().end(), [&](const GridKey& key) {
    return key.values.size() > 1 && key.is_in(section);
  });
}

std::vector<std::string> settings_of_first_cell(const Grid& grid,
                                                const HoldOutOptions& hold_out_options) {
  std::vector<std::string> settings = grid.settings(0);
  if (hold_out_options.is_set()) settings.push_back(hold_out_options.setting(0));
  return settings;
}

// Dataset, features and loss of the first point. Does a part of what Problem does, without the
// oracle.
class PreflightProblem {
 public:
  PreflightProblem(const ProblemSpec& spec, Console& console)
      : spec_(spec),
        workers_(1),
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

  // The metrics of an evaluation.
  std::vector<MetricDirection> metrics() {
    sculpt_bindings bindings = {};
    bindings.dataset = dataset_component_.ref();
    Component features(*spec_.features.description, spec_.features.parameters, services_);
    bind_and_seal(features, bindings);
    bindings.features = features.ref();
    Component loss(*spec_.loss->description, spec_.loss->parameters, services_);
    bind_and_seal(loss, bindings);
    std::vector<MetricDirection> metrics{{"loss", "lower"}};
    std::set<std::string> used_names{"loss"};
    for (const Component* component : {&loss, &dataset_component_}) {
      for (const sculpt_metric& metric : metrics_of(*component).metrics) {
        metrics.emplace_back(unique_name(*component, metric, used_names), better_direction(metric));
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

  const ProblemSpec& spec_;
  Workers workers_;
  Services services_;
  Component dataset_component_;
  Dataset dataset_;
};

}  // namespace

void check_before_training(const std::string& config, const Grid& grid,
                           const HoldOutOptions& hold_out_options,
                           const std::optional<Criterion>& criterion, Console& console) {
  if ((!hold_out_options.is_set() && !criterion) || varies(grid, "dataset")) return;
  const JsonDocument document = JsonDocument::read(config);
  const std::vector<Override> overrides =
      parse_overrides(settings_of_first_cell(grid, hold_out_options));
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
  if (!criterion || varies(grid, "features") || varies(grid, "loss")) return;
  (void)lower_is_better(*criterion, preflight.metrics());
}

void refuse_nothing_held_out() {
  throw Failure(Exit::config,
                "--best chooses by held-out data, but nothing is held out; give --folds or "
                "--hold-out, or set \"validation\" in \"dataset\"");
}

}  // namespace sculpt::core
