#include "batch/open_task.hpp"

#include <nlohmann/json.hpp>

#include "experiment/experiment.hpp"
#include "launch/component_search.hpp"
#include "launch/split_sources.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

namespace {

// The experiment, with a solver: experiments need one, but a batch has none.
JsonDocument document_of(const OpenTask::Options& options) {
  JsonDocument document = JsonDocument::parse(options.experiment, {"experiment", options.folder});
  const bool is_object = document.json().is_object();
  if (is_object && document.find("/solver") == nullptr) {
    document.set("/solver", "n_slack", document.position(""));
  }
  return document;
}

Registry::Settings settings_of(const OpenTask::Options& options, const JsonDocument& document) {
  Registry::Settings settings = registry_settings(document, {});
  settings.plugin_path.insert(settings.plugin_path.begin(), options.plugin_path.begin(),
                              options.plugin_path.end());
  settings.warn = [&options](const std::string& text) {
    if (options.log) options.log(SCULPT_LOG_WARNING, text);
  };
  return settings;
}

}  // namespace

OpenTask::OpenTask(const Options& options) {
  const JsonDocument document = document_of(options);
  Registry registry(settings_of(options, document));
  Experiment experiment(document, {}, declared_in(registry));
  experiment.lend(options.lent);
  assembly_ = std::make_unique<Assembly>(experiment, registry);
  std::vector<SplitSource> sources = sources_of(experiment);
  std::erase_if(sources, [](const SplitSource& source) { return source.split != "train"; });
  ProblemSpec spec = assembly_->problem_spec(std::move(sources));
  spec.formulation.reset();  // no planes
  spec.prediction_oracles.clear();
  spec.auditor.reset();
  problem_ = std::make_unique<Problem>(
      spec, Purpose::prediction, options.threads,
      Callbacks{options.log, [this] { return is_stopped_.load(std::memory_order_relaxed); }, {}});
  batch_ = std::make_unique<TaskBatch>(*problem_);
}

}  // namespace sculpt::core
