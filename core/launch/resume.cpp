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
  std::string key;  // "solver.C"
  Json then, now;   // null: the key does not exist
};

Json at(const Json& object, const std::string& key) {
  return object.is_object() && object.contains(key) ? object[key] : Json();
}

// The first difference. 1 and 1.0 are equal, because a config may be written either way.
std::optional<Difference> difference(const Json& then, const Json& now, const std::string& key) {
  if (!then.is_object() || !now.is_object()) {
    return then == now ? std::nullopt : std::optional(Difference{key, then, now});
  }
  for (const Json* side : {&now, &then}) {
    for (const auto& [name, value] : side->items()) {
      auto found = difference(at(then, name), at(now, name), key.empty() ? name : key + "." + name);
      if (found) return found;
    }
  }
  return std::nullopt;
}

std::string value_text(const Json& value) {
  if (value.is_null()) return "unset";
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (value.is_number_float() && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

// Without the keys that may differ. config.json has some of them at the top level.
Json without_limits(Json config) {
  for (const char* key : {"threads", "output", "plugin_path", "checkpoint_seconds"}) {
    if (config.is_object()) config.erase(key);
  }
  if (!at(config, "solver").is_object()) return config;
  for (const StoppedBy limit : limits) config["solver"].erase(name_of(limit));
  return config;
}

// The part of a header on which planes depend.
Json what_makes_planes(const Json& header) {
  Json json = trained_header(header);
  Json config = Json::object();
  for (const char* key : {"dataset", "features", "loss", "oracle", "hold_out"}) {
    config[key] = at(at(header, "config"), key);
  }
  const Json solver = at(at(header, "config"), "solver");
  for (const char* key : {"rescaling", "slack_norm"}) config["solver"][key] = at(solver, key);
  json["config"] = config;
  json.erase("libraries");
  if (json.contains("formulation")) json["formulation"].erase("C");
  return json;
}

void require_same_components(const Json& then, const Json& now, const std::string& place,
                             const std::string& advice) {
  if (then == now) return;
  for (std::size_t k = 0; then.is_array() && k < std::min(then.size(), now.size()); ++k) {
    if (then[k] == now[k]) continue;
    throw Failure(Exit::plugin, at(now[k], "id").get<std::string>() + " is version " +
                                    value_text(at(now[k], "version")) + ", " + place +
                                    " was written with " + value_text(at(then[k], "id")) + " " +
                                    value_text(at(then[k], "version")) + advice);
  }
  throw Failure(Exit::plugin, place + " was written with other components" + advice);
}

// The planes of a checkpoint use psi and the loss of the old library.
void require_same_libraries(const Json& then, const Json& now, const std::string& place,
                            const std::string& advice) {
  const auto found = difference(then, now, "");
  if (!found) return;
  throw Failure(Exit::plugin, found->key + " was built anew since " + place +
                                  " was written; if its features and losses are the same, as after "
                                  "mending a crash, go on with --resume --trust-rebuilt" +
                                  advice);
}

}  // namespace

void require_same_config(const Json& then, const Json& now, const std::string& place,
                         const std::string& advice) {
  const auto found = difference(without_limits(then), without_limits(now), "");
  if (!found) return;
  throw Failure(Exit::config, found->key + " is " + value_text(found->now) + ", " + place +
                                  " was written with " + value_text(found->then) + advice);
}

void require_same_run(const Json& then, const Json& now, const std::string& place,
                      const std::string& advice) {
  const auto both = [&](const char* key) { return now.contains(key) && then.contains(key); };
  if (both("sculpt") && then["sculpt"] != now["sculpt"]) {
    throw Failure(Exit::data, place + " was written by sculpt " + value_text(then["sculpt"]) +
                                  ", this is " + value_text(now["sculpt"]) + advice);
  }
  if (both("config")) require_same_config(then["config"], now["config"], place, advice);
  if (both("components"))
    require_same_components(then["components"], now["components"], place, advice);
  if (both("libraries")) require_same_libraries(then["libraries"], now["libraries"], place, advice);
  for (const char* key : {"paths", "data"}) {
    const auto found = both(key) ? difference(then[key], now[key], "") : std::nullopt;
    if (!found) continue;
    throw Failure(Exit::data, "the data of " + found->key + " have the hash " +
                                  value_text(found->now) + ", " + place + " was written with " +
                                  value_text(found->then) + advice);
  }
  for (const char* key : {"examples", "dimension", "formulation"}) {
    if (!both(key) || then[key] == now[key]) continue;
    throw Failure(Exit::plugin, std::string(key) + " is " + value_text(now[key]) + ", " + place +
                                    " was written with " + value_text(then[key]) +
                                    ", from the same data" + advice);
  }
}

Json trained_header(Json header) {
  const Json data = at(header, "data");
  header["data"] = Json::object();
  for (const char* key : {"train", "groups"}) {
    if (!at(data, key).is_null()) header["data"][key] = data[key];
  }
  return header;
}

void require_same_planes(const Json& then, const Json& now, const std::string& place) {
  const auto found = difference(at(then, "libraries"), at(now, "libraries"), "");
  const auto rebuilt = found && !found->then.is_null() && !found->now.is_null();
  if (rebuilt) {
    throw Failure(Exit::plugin, found->key + " was built anew since " + place +
                                    " was written: its planes may be others; train that run anew");
  }
  require_same_run(what_makes_planes(then), what_makes_planes(now), place,
                   ": its planes are not those of this experiment; name a run that differs in "
                   "other keys of the solver alone, or none");
}

Exit exit_of(const Json& finished) {
  const bool certified = at(finished, "certified") == true;
  for (const StoppedBy rule : {StoppedBy::relative_gap, StoppedBy::epsilon}) {
    if (at(finished, "stopped_by") == name_of(rule) && has_reached(rule, certified)) {
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

bool may_go_on(const Json& finished, const Json& solver_then, const Json& solver_now) {
  const Json rule = at(finished, "stopped_by");
  if (rule == name_of(StoppedBy::signal)) return true;
  for (const StoppedBy limit : limits) {
    if (rule != name_of(limit)) continue;
    const Json then = at(solver_then, name_of(limit));
    const Json now = at(solver_now, name_of(limit));
    return !now.is_number() || !then.is_number() || now.get<double>() > then.get<double>();
  }
  return false;
}

}  // namespace sculpt::core
