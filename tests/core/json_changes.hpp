// json_changes.hpp - a JSON value with one of its values changed, for files with any content.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sculpt::core::test {

// What a value is changed to. It is removed, too. `all`: whatever its type.
enum class WrongValues { all, few };

inline std::vector<nlohmann::ordered_json> wrong_values(const nlohmann::ordered_json& value,
                                                        WrongValues which) {
  if (which == WrongValues::all) {
    return {10, -1, 1e308, 18446744073709551615ULL, nullptr, "x", nlohmann::ordered_json::array()};
  }
  if (value.is_number()) return {-1, 1e308, "x"};
  if (value.is_string()) return {10, "x"};
  return {10, nullptr};
}

// Adds the pointers to all values inside of `json`, objects and lists included.
inline void add_pointers(const nlohmann::ordered_json& json,
                         const nlohmann::ordered_json::json_pointer& pointer,
                         std::vector<nlohmann::ordered_json::json_pointer>& pointers) {
  if (!pointer.empty()) pointers.push_back(pointer);
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    add_pointers(value, json.is_array() ? pointer / std::stoul(key) : pointer / key, pointers);
  }
}

// Calls `use` for each change of one value of `json`, with a text that tells the change.
inline void for_each_change(
    const nlohmann::ordered_json& json,
    const std::function<void(const nlohmann::ordered_json& changed, const std::string& what)>& use,
    WrongValues which = WrongValues::few) {
  std::vector<nlohmann::ordered_json::json_pointer> pointers;
  add_pointers(json, nlohmann::ordered_json::json_pointer(), pointers);
  for (const auto& pointer : pointers) {
    for (const auto& value : wrong_values(json.at(pointer), which)) {
      if (json.at(pointer) == value) continue;
      nlohmann::ordered_json changed = json;
      changed[pointer] = value;
      use(changed, pointer.to_string() + " = " + value.dump());
    }
    nlohmann::ordered_json changed = json;
    auto& parent = changed.at(pointer.parent_pointer());
    if (parent.is_array()) parent.erase(std::stoul(pointer.back()));
    if (parent.is_object()) parent.erase(pointer.back());
    use(changed, pointer.to_string() + " removed");
  }
}

}  // namespace sculpt::core::test
