#include "command/task/absolute_paths.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace sculpt::core {

void make_paths_absolute(nlohmann::ordered_json& experiment,
                         const nlohmann::ordered_json& resolved) {
  if (experiment.is_object() && resolved.is_object()) {
    for (const auto& [key, value] : experiment.items()) {
      if (resolved.contains(key)) make_paths_absolute(value, resolved[key]);
    }
  } else if (experiment.is_array() && resolved.is_array()) {
    const std::size_t count = std::min(experiment.size(), resolved.size());
    for (std::size_t k = 0; k < count; ++k) make_paths_absolute(experiment[k], resolved[k]);
  } else if (experiment.is_string() && resolved.is_object() && resolved.contains("use")) {
    make_paths_absolute(experiment, resolved["use"]);  // a component without keys
  } else if (experiment.is_string() && resolved.is_string()) {
    // Only paths differ: one in "use" has "#name" at its end.
    if (resolved.get<std::string>().starts_with('/')) experiment = resolved;
  }
}

}  // namespace sculpt::core
