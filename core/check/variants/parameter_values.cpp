#include "check/variants/parameter_values.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Json> integers_of(const sculpt_parameter& parameter) {
  std::vector<double> candidates;
  if (std::abs(parameter.lower) <= max_tried_lower_end) candidates.push_back(parameter.lower);
  candidates.insert(candidates.end(), {1, 2});
  if (parameter.upper <= max_tried_upper_end) candidates.push_back(parameter.upper);
  std::vector<Json> values;
  for (const double candidate : candidates) {
    if (candidate < parameter.lower || candidate > parameter.upper) continue;
    values.emplace_back(static_cast<std::int64_t>(candidate));
  }
  return values;
}

std::vector<Json> choices_of(const sculpt_parameter& parameter) {
  std::vector<Json> values;
  std::istringstream choices(parameter.choices == nullptr ? "" : parameter.choices);
  for (std::string choice; std::getline(choices, choice, '|');) values.emplace_back(choice);
  return values;
}

std::vector<Json> items_of(const sculpt_parameter& parameter) {
  switch (parameter.type & ~std::uint32_t{SCULPT_PARAMETER_LIST}) {
    case SCULPT_PARAMETER_BOOL:
      return {false, true};
    case SCULPT_PARAMETER_INT:
      return integers_of(parameter);
    case SCULPT_PARAMETER_CHOICE:
      return choices_of(parameter);
    default:
      return {};
  }
}

}  // namespace

bool has_untried_values(const sculpt_parameter& parameter) {
  const std::uint32_t type = parameter.type & ~std::uint32_t{SCULPT_PARAMETER_LIST};
  if (type == SCULPT_PARAMETER_INT) return parameter.upper > max_tried_upper_end;
  return type != SCULPT_PARAMETER_BOOL && type != SCULPT_PARAMETER_CHOICE;
}

std::vector<std::string> other_values(const sculpt_parameter& parameter, const Json& current) {
  std::vector<Json> values = items_of(parameter);
  if (values.empty()) return {};
  if ((parameter.type & SCULPT_PARAMETER_LIST) != 0) {
    const bool is_choice = parameter.choices != nullptr && values.size() > 1;
    std::vector<Json> lists = {Json::array()};
    for (const Json& value : values) lists.push_back(Json::array({value}));
    if (is_choice) lists.emplace_back(values);
    values = std::move(lists);
  }
  if (parameter.fallback != nullptr) values.push_back(Json::parse(parameter.fallback));
  std::vector<std::string> texts;
  for (const Json& value : values) {
    const std::string text = value.dump();
    const bool is_known = std::find(texts.begin(), texts.end(), text) != texts.end();
    if (value != current && !is_known) texts.push_back(text);
  }
  return texts;
}

}  // namespace sculpt::core
