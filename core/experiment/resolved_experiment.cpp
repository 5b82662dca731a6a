// resolved_experiment.cpp - an experiment written back: for config.json, and for a model.

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiment/component_use.hpp"
#include "experiment/experiment.hpp"
#include "experiment/experiment_keys.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

enum class Paths { kept, dropped };

// {"use": ..., the splits}, and behind them the keys.
Json section_start(const Section& section, const std::vector<Split>& splits, Paths paths) {
  Json json = Json::object();
  json["use"] = paths == Paths::kept ? section.use : component_of_use(section.use);
  for (const Split& split : splits) {
    if (paths == Paths::dropped) break;
    if (split.text) {
      json[split.name]["text"] = *split.text;
    } else {
      json[split.name] = split.path;
    }
  }
  return json;
}

// One, a list of several, or the members of combine.
template <class JsonOf>
Json oracle_json(const Experiment& experiment, const JsonOf& json_of) {
  if (experiment.oracles.size() == 1) return json_of(experiment.oracles.front());
  Json list = Json::array();
  for (const Section& oracle : experiment.oracles) list.push_back(json_of(oracle));
  if (!experiment.combines) return list;
  return {{"use", combine}, {"members", list}};
}

void add_sections(Json& json, const Experiment& experiment, Paths paths,
                  const Experiment::ResolveKeys& resolve_keys) {
  std::size_t position = 0;
  const auto add_keys = [&](Json section_json, const Section& section) {
    const Json keys = resolve_keys ? resolve_keys(section, position) : section.keys.json();
    for (const auto& [key, value] : keys.items()) section_json[key] = value;
    ++position;
    return section_json;
  };
  const auto json_of = [&](const Section& section) {
    return add_keys(section_start(section, {}, paths), section);
  };
  json["dataset"] =
      add_keys(section_start(experiment.dataset, experiment.splits, paths), experiment.dataset);
  json["features"] = json_of(experiment.features);
  json["loss"] = json_of(experiment.loss);
  json["oracle"] = oracle_json(experiment, json_of);
  json["solver"] = json_of(experiment.solver);
}

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
  add_sections(json, *this, Paths::kept, resolve_keys);
  json["threads"] = threads;
  json["seed"] = seed;
  if (hold_out) json["hold_out"] = hold_out_json(*hold_out, Paths::kept);
  if (!output.empty()) json["output"] = output;
  // JSON has no infinity.
  json["checkpoint_seconds"] =
      std::isinf(checkpoint_seconds) ? Json("inf") : Json(checkpoint_seconds);
  return json;
}

Json Experiment::resolved_for_model(const ResolveKeys& resolve_keys) const {
  Json json = Json::object();
  json["name"] = name;
  add_sections(json, *this, Paths::dropped, resolve_keys);
  json["seed"] = seed;
  if (hold_out) json["hold_out"] = hold_out_json(*hold_out, Paths::dropped);
  return json;
}

}  // namespace sculpt::core
