#include "launch/resume.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/failure.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<StoppedBy, 3> limits{StoppedBy::max_passes, StoppedBy::max_oracle_calls,
                                          StoppedBy::max_seconds};

struct Difference {
  std::string key;        // "solver.C"
  Json earlier, current;  // null: the key does not exist
};

// null if there is no such key.
Json at(const Json& object, const std::string& key) {
  return object.is_object() && object.contains(key) ? object[key] : Json();
}

// The first difference. 1 and 1.0 are equal, because a config may be written either way.
std::optional<Difference> find_difference(const Json& earlier, const Json& current,
                                          const std::string& key) {
  if (!earlier.is_object() || !current.is_object()) {
    return earlier == current ? std::nullopt : std::optional(Difference{key, earlier, current});
  }
  for (const Json* side : {&current, &earlier}) {
    for (const auto& [name, value] : side->items()) {
      auto difference = find_difference(at(earlier, name), at(current, name),
                                        key.empty() ? name : key + "." + name);
      if (difference) return difference;
    }
  }
  return std::nullopt;
}

std::string earlier_value_text(const Json& value) {
  if (value.is_null()) return "unset";
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (value.is_number_float() && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

// "the file that "dataset.file" names has changed since PATH was written: ", or "" for a split and
// a key that was added or left out.
std::string text_on_file(const Difference& difference, const std::string& path) {
  const bool is_file = difference.key.starts_with("dataset.") && !difference.earlier.is_null() &&
                       !difference.current.is_null();
  return is_file ? "the file that \"" + difference.key + "\" names has changed since " + path +
                       " was written: "
                 : "";
}

// The config without the keys that may differ. config.json has some of them at the top level.
Json without_free_keys(Json config) {
  for (const char* key :
       {"threads", "output", "plugin_path", "checkpoint_seconds", "memory", "cache"}) {
    if (config.is_object()) config.erase(key);
  }
  if (!at(config, "solver").is_object()) return config;
  for (const StoppedBy limit : limits) config["solver"].erase(name_of(limit));
  return config;
}

// The part of a header on which planes depend.
Json plane_identity(const Json& header) {
  Json json = training_header(header);
  Json config = Json::object();
  for (const char* key : {"dataset", "features", "loss", "oracle", "kernel", "hold_out"}) {
    config[key] = at(at(header, "config"), key);
  }
  const Json solver = at(at(header, "config"), "solver");
  for (const char* key : {"rescaling", "slack_norm"}) config["solver"][key] = at(solver, key);
  json["config"] = config;
  json.erase("libraries");
  if (at(json, "formulation").is_object()) json["formulation"].erase("C");
  return json;
}

// The part of a header on which the meaning of each weight depends: the dataset and the features.
Json weight_identity(const Json& header) {
  Json json = training_header(header);
  Json config = Json::object();
  for (const char* key : {"dataset", "features"}) config[key] = at(at(header, "config"), key);
  json["config"] = config;
  const Json components = at(header, "components");
  json["components"] = Json::array();
  for (std::size_t k = 0; k < std::min<std::size_t>(components.size(), 2); ++k) {
    json["components"].push_back(components[k]);
  }
  for (const char* key : {"libraries", "formulation", "examples"}) json.erase(key);
  return json;
}

// The part of a header on which the meaning of weights and dictionaries depends, whatever the data.
// A dataset itself refuses keys that change how it reads, when it is restored.
Json names_identity(const Json& header) {
  Json json = {{"config", Json::object()}, {"components", at(header, "components")}};
  const Json config = at(header, "config");
  json["config"]["dataset"]["use"] = at(at(config, "dataset"), "use");
  for (const char* key : {"features", "loss", "oracle", "kernel"}) {
    json["config"][key] = at(config, key);
  }
  return json;
}

void require_same_components(const Json& earlier, const Json& current,
                             const std::string& earlier_path, const std::string& advice) {
  if (earlier == current) return;
  for (std::size_t k = 0; earlier.is_array() && k < std::min(earlier.size(), current.size()); ++k) {
    if (earlier[k] == current[k]) continue;
    throw Failure(Exit::plugin, at(current[k], "id").get<std::string>() + " is version " +
                                    earlier_value_text(at(current[k], "version")) + ", but " +
                                    earlier_path + " was written with " +
                                    earlier_value_text(at(earlier[k], "id")) + " " +
                                    earlier_value_text(at(earlier[k], "version")) + advice);
  }
  throw Failure(Exit::plugin, earlier_path + " was written with other components" + advice);
}

// The planes of a checkpoint use psi and the loss of the old library.
void require_same_libraries(const Json& earlier, const Json& current,
                            const std::string& earlier_path, const std::string& advice) {
  const auto difference = find_difference(earlier, current, "");
  if (!difference) return;
  throw Failure(Exit::plugin, difference->key + " was rebuilt after " + earlier_path +
                                  " was written; if its features and losses are the same, for "
                                  "example after a crash was fixed, give --resume --trust-rebuilt" +
                                  advice);
}

}  // namespace

void require_same_config(const Json& earlier, const Json& current, const std::string& earlier_path,
                         const std::string& advice) {
  const auto difference =
      find_difference(without_free_keys(earlier), without_free_keys(current), "");
  if (!difference) return;
  const std::string key = difference->key == "name" ? "the experiment's \"name\"" : difference->key;
  throw Failure(Exit::config, key + " is " + earlier_value_text(difference->current) + ", but " +
                                  earlier_path + " was written with " +
                                  earlier_value_text(difference->earlier) + advice);
}

void require_same_run(const Json& earlier, const Json& current, const std::string& earlier_path,
                      const std::string& advice) {
  const auto both_have = [&](const char* key) {
    return current.contains(key) && earlier.contains(key);
  };
  if (both_have("sculpt") && earlier["sculpt"] != current["sculpt"]) {
    throw Failure(Exit::data, earlier_path + " was written by sculpt " +
                                  earlier_value_text(earlier["sculpt"]) + ", but this is sculpt " +
                                  earlier_value_text(current["sculpt"]) + advice);
  }
  if (both_have("config")) {
    require_same_config(earlier["config"], current["config"], earlier_path, advice);
  }
  if (both_have("components")) {
    require_same_components(earlier["components"], current["components"], earlier_path, advice);
  }
  if (both_have("libraries")) {
    require_same_libraries(earlier["libraries"], current["libraries"], earlier_path, advice);
  }
  for (const char* key : {"paths", "data"}) {
    const auto difference =
        both_have(key) ? find_difference(earlier[key], current[key], "") : std::nullopt;
    if (!difference) continue;
    throw Failure(Exit::data, text_on_file(*difference, earlier_path) + "the data of " +
                                  difference->key + " have the hash " +
                                  earlier_value_text(difference->current) + ", but " +
                                  earlier_path + " was written with " +
                                  earlier_value_text(difference->earlier) + advice);
  }
  for (const char* key : {"examples", "dimension", "formulation"}) {
    if (!both_have(key) || earlier[key] == current[key]) continue;
    throw Failure(Exit::plugin, std::string(key) + " is " + earlier_value_text(current[key]) +
                                    ", but " + earlier_path + " was written with " +
                                    earlier_value_text(earlier[key]) + " from the same data" +
                                    advice);
  }
}

Json training_header(Json header) {
  const Json data = at(header, "data");
  header["data"] = Json::object();
  for (const auto& [key, hash] : data.items()) {
    if (key == "train" || key == "groups" || key.starts_with("dataset."))
      header["data"][key] = hash;
  }
  return header;
}

void require_same_planes(const Json& earlier, const Json& current,
                         const std::string& earlier_path) {
  const auto difference = find_difference(at(earlier, "libraries"), at(current, "libraries"), "");
  const bool is_rebuilt =
      difference && !difference->earlier.is_null() && !difference->current.is_null();
  if (is_rebuilt) {
    throw Failure(Exit::plugin, difference->key + " was rebuilt after " + earlier_path +
                                    " was written, so its planes may differ; train that run again");
  }
  require_same_run(plane_identity(earlier), plane_identity(current), earlier_path,
                   ", so its planes do not fit this experiment; name a run that differs only in "
                   "other keys of the solver, or leave \"warm_start\" out");
}

void require_same_weights(const Json& earlier, const Json& current,
                          const std::string& earlier_path) {
  require_same_run(weight_identity(earlier), weight_identity(current), earlier_path,
                   ", so its weights do not fit this experiment; name a model of the same data and "
                   "features, or leave \"warm_start\" out");
}

bool has_same_examples(const Json& earlier, const Json& current) {
  const auto same_data = [&](const char* key) {
    return at(at(earlier, "data"), key) == at(at(current, "data"), key);
  };
  return same_data("train") && same_data("groups") &&
         at(at(earlier, "config"), "hold_out") == at(at(current, "config"), "hold_out");
}

void require_same_names(const Json& earlier, const Json& current, const std::string& earlier_path) {
  require_same_run(names_identity(earlier), names_identity(current), earlier_path,
                   ", so its weights do not fit this experiment; name a run that differs only in "
                   "data and solver, or leave \"warm_start\" out");
}

Exit exit_of(const Json& finished) {
  const bool certified = at(finished, "certified") == true;
  for (const StoppedBy rule : {StoppedBy::relative_gap, StoppedBy::epsilon, StoppedBy::residual}) {
    if (at(finished, "stopped_by") == name_of(rule) && has_reached_target(rule, certified)) {
      return Exit::reached;
    }
  }
  return Exit::not_reached;
}

bool is_limit(const std::string& key) {
  return std::any_of(limits.begin(), limits.end(), [&](StoppedBy limit) {
    return key == std::string("solver.") + name_of(limit);
  });
}

bool can_resume(const Json& finished, const Json& earlier_solver, const Json& current_solver) {
  const Json rule = at(finished, "stopped_by");
  if (rule == name_of(StoppedBy::signal)) return true;
  for (const StoppedBy limit : limits) {
    if (rule != name_of(limit)) continue;
    const Json earlier = at(earlier_solver, name_of(limit));
    const Json current = at(current_solver, name_of(limit));
    return !current.is_number() || !earlier.is_number() ||
           current.get<double>() > earlier.get<double>();
  }
  return false;
}

}  // namespace sculpt::core
