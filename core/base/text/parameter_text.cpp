#include "base/text/parameter_text.hpp"

#include <sculpt/cpp/error.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/text/json_syntax.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// For example "a number (seconds) of at least 0".
std::string number_description(const sculpt_parameter& parameter, const char* noun) {
  const std::string unit = parameter.unit ? std::string(" (") + parameter.unit + ")" : "";
  const std::string range = range_text(parameter.lower, parameter.upper);
  return noun + unit + (range.empty() ? "" : " ") + range;
}

}  // namespace

std::string expected_item_text(const sculpt_parameter& parameter) {
  switch (parameter.type & ~static_cast<std::uint32_t>(SCULPT_PARAMETER_LIST)) {
    case SCULPT_PARAMETER_BOOL:
      return "true or false";
    case SCULPT_PARAMETER_INT:
      return number_description(parameter, "a whole number");
    case SCULPT_PARAMETER_REAL:
      return number_description(parameter, "a number") +
             (std::isinf(parameter.upper) ? " or \"inf\"" : "");
    case SCULPT_PARAMETER_TEXT:
      return "text in double quotes";
    case SCULPT_PARAMETER_PATH:
      return "a path in double quotes";
    case SCULPT_PARAMETER_CHOICE: {
      std::string text = "one of";
      for (const std::string& choice : choices_of(parameter)) {
        text += (text.back() == 'f' ? " \"" : ", \"") + choice + "\"";
      }
      return text;
    }
    default:
      return "a JSON value";
  }
}

std::string expected_text(const sculpt_parameter& parameter) {
  const std::string item = expected_item_text(parameter);
  return parameter.type & SCULPT_PARAMETER_LIST ? "a list [...], each item " + item : item;
}

std::string found_text(const nlohmann::ordered_json& value) {
  if (value.is_string()) {
    return "the text \"" + shortened(value.get_ref<const std::string&>()) + "\"";
  }
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (value.is_number()) return "the number " + value.dump();
  return value.dump();
}

std::vector<std::string> choices_of(const sculpt_parameter& parameter) {
  std::vector<std::string> choices;
  std::string_view rest = parameter.choices ? parameter.choices : "";
  while (!rest.empty()) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    choices.emplace_back(rest.substr(0, bar));
    rest.remove_prefix(std::min(bar + 1, rest.size()));
  }
  return choices;
}

}  // namespace sculpt::core
