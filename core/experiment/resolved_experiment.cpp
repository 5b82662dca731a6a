// resolved_experiment.cpp - writes an experiment to JSON, for config.json and for a model.

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiment/component_use.hpp"
#include "experiment/experiment.hpp"
#include "experiment/experiment_keys.hpp"
#include "experiment/kernel_keys.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

enum class Paths { kept, dropped };

// {"use": ..., the splits}. The other keys follow later.
Json section_start(const Section& section, const std::vector<Split>& splits, Paths paths) {
  Json json = Json::object();
  json["use"] = paths == Paths::kept ? section.use : component_of_use(section.use);
  for (const Split& split : splits) {
    if (paths == Paths::dropped) break;
    if (split.text) {
      json[split.name]["text"] = *split.text;
    } else if (split.arrays) {
      json[split.name]["arrays"] = Json::parse(*split.arrays);
    } else if (split.memory) {
      json[split.name]["memory"] = *split.memory;
    } else {
      json[split.name] = split.path;
    }
  }
  return json;
}

// Writes sections in the order in which Experiment::ResolveKeys counts them.
class SectionWriter {
 public:
  SectionWriter(Paths paths, const Experiment::ResolveKeys& resolve_keys)
      : paths_(paths), resolve_keys_(resolve_keys) {}

  Json section(const Section& section, const std::vector<Split>& splits = {}) {
    Json json = section_start(section, splits, paths_);
    const Json keys = resolve_keys_ ? resolve_keys_(section, position_) : section.keys.json();
    for (const auto& [key, value] : keys.items()) json[key] = value;
    ++position_;
    return json;
  }

  // One oracle, a list of several, or combine with its members.
  Json oracle(const OracleUse& use) {
    if (use.members.size() == 1) return section(use.members.front());
    Json list = Json::array();
    for (const Section& member : use.members) list.push_back(section(member));
    if (!use.combines) return list;
    return {{"use", combine}, {combine_keys[0].name, list}};
  }

  // One component, or a kernel that the host makes of others.
  Json kernel(const KernelUse& use) {
    if (use.component) return section(*use.component);
    Json json = {{"use", host_kernel(use.rule).name}};
    if (has_one_member(use.rule)) {
      json["of"] = kernel(use.members.front());
      return json;
    }
    for (const KernelUse& member : use.members) json["members"].push_back(kernel(member));
    if (!use.weights.empty()) json["weights"] = use.weights;
    return json;
  }

  void write_sections(const Experiment& experiment, Json& json) {
    json["dataset"] = section(experiment.dataset, experiment.splits);
    json["features"] = section(experiment.features);
    json["loss"] = section(experiment.loss);
    json["oracle"] = oracle(experiment.oracle);
    if (experiment.kernel) json["kernel"] = kernel(*experiment.kernel);
    json["solver"] = section(experiment.solver);
  }

 private:
  Paths paths_;
  const Experiment::ResolveKeys& resolve_keys_;
  std::size_t position_ = 0;
};

Json hold_out_json(const HoldOut& hold_out, Paths paths) {
  Json json = Json::object();
  if (hold_out.folds > 0) {
    json["folds"] = hold_out.folds;
    json["fold"] = hold_out.fold;
  } else {
    json["fraction"] = hold_out.fraction;
  }
  json["seed"] = hold_out.seed;
  if (paths == Paths::kept && !hold_out.groups.empty()) json["groups"] = hold_out.groups;
  return json;
}

}  // namespace

Json Experiment::resolved(const ResolveKeys& resolve_keys) const {
  Json json = Json::object();
  json["name"] = name;
  json["plugin_path"] = plugin_path;
  SectionWriter writer(Paths::kept, resolve_keys);
  writer.write_sections(*this, json);
  json["threads"] = threads;
  json["seed"] = seed;
  if (hold_out) json["hold_out"] = hold_out_json(*hold_out, Paths::kept);
  for (const OracleUse& use : predict_with) json["predict_with"].push_back(writer.oracle(use));
  if (audit_with) json["audit_with"] = writer.oracle(*audit_with);
  if (!output.empty()) json["output"] = output;
  if (memory) json["memory"] = *memory;
  if (cache.where == CacheUse::Where::beside_data) json["cache"] = "auto";
  if (cache.where == CacheUse::Where::folder) json["cache"] = cache.folder;
  // JSON has no infinity.
  json["checkpoint_seconds"] =
      std::isinf(checkpoint_seconds) ? Json("inf") : Json(checkpoint_seconds);
  return json;
}

Json Experiment::resolved_for_model(const ResolveKeys& resolve_keys) const {
  Json json = Json::object();
  json["name"] = name;
  SectionWriter(Paths::dropped, resolve_keys).write_sections(*this, json);
  json["seed"] = seed;
  if (hold_out) json["hold_out"] = hold_out_json(*hold_out, Paths::dropped);
  return json;
}

}  // namespace sculpt::core
