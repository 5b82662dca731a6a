#include "experiment/misplaced_key.hpp"

#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "experiment/component_use.hpp"
#include "experiment/experiment_keys.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// Most keys that people look for are those of the solver.
constexpr std::array search_order = {"solver", "dataset", "features", "loss", "oracle", "kernel"};

// True if the key is one of the top level, or a mistyped one.
bool is_meant_for_top_level(const std::string& key) {
  std::vector<std::string> names;
  for (const sculpt_parameter& one : top_level_keys) names.emplace_back(one.name);
  return nearest_name(key, names).has_value();
}

// The component of a section; of a list the first one. "": there is none.
std::string use_of(const JsonDocument& document, const std::string& section) {
  const Json* value = document.find(pointer_to("", section));
  if (value != nullptr && value->is_array() && !value->empty()) value = &value->front();
  if (value != nullptr && value->is_object()) {
    const auto use = value->find("use");
    value = use == value->end() ? nullptr : &*use;
  }
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

// The key as it is written, and in capital and small letters: people write c for C.
std::vector<std::string> spellings(const std::string& key) {
  std::string upper = key;
  std::string lower = key;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return {key, upper, lower};
}

// "solver.C", in the order of search; empty: no section has the key.
std::vector<std::string> places_of(const JsonDocument& document, const std::string& key,
                                   const IsDeclared& is_declared) {
  std::vector<std::string> places;
  for (const char* section : search_order) {
    const std::string use = use_of(document, section);
    if (use.empty()) continue;
    if (short_name(component_of_use(use)) == key) places.emplace_back(section);
    const bool is_dataset = std::string_view(section) == "dataset";
    for (const std::string& spelling : spellings(key)) {
      if (!(is_dataset && is_split(spelling)) && !is_declared(section, use, spelling)) continue;
      places.push_back(std::string(section) + "." + spelling);
      break;
    }
  }
  return places;
}

}  // namespace

void refuse_misplaced_keys(const JsonDocument& document, const IsDeclared& is_declared) {
  for (const auto& [key, value] : document.json().items()) {
    if (is_meant_for_top_level(key)) continue;
    std::vector<std::string> places = places_of(document, key, is_declared);
    if (places.empty()) continue;
    for (std::string& place : places) place = "\"" + place + "\"";
    refuse(document.key_position(pointer_to("", key)), "unknown key \"" + key +
                                                           "\" of the experiment, did you mean " +
                                                           joined(places, " or ") + "?");
  }
}

}  // namespace sculpt::core
