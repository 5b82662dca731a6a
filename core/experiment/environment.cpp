#include "experiment/environment.hpp"

#include <sculpt/cpp/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/text/json_syntax.hpp"
#include "experiment/experiment_keys.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

bool is_variable_name(std::string_view name) {
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return false;
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && c != '_' && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

// The value of the text between "${" and "}".
std::string variable_value(const std::string& reference, const Position& position) {
  const std::string quoted = "\"${" + shortened(reference) + "}\"";
  const std::size_t colon = reference.find(':', 4);
  const std::string name = reference.substr(0, 4) == "env:"
                               ? reference.substr(4, colon == std::string::npos ? colon : colon - 4)
                               : "";
  if (!is_variable_name(name)) {
    refuse(position, quoted + " is unknown; write ${env:NAME} or ${env:NAME:default}");
  }
  if (const char* value = std::getenv(name.c_str())) {
    std::string text = value;
    if (!is_utf8(text)) refuse(position, "the environment variable " + name + " is not UTF-8");
    return text;
  }
  if (colon == std::string::npos) {
    refuse(position, "the environment variable " + name +
                         " is not set; set it, or write ${env:" + name + ":default}");
  }
  return reference.substr(colon + 1);
}

// The text with all references replaced.
std::string expanded(const std::string& text, const Position& position) {
  std::string out;
  std::size_t end_of_last = 0;
  for (;;) {
    const std::size_t begin = text.find("${", end_of_last);
    if (begin == std::string::npos) break;
    const std::size_t end = text.find('}', begin);
    if (end == std::string::npos) {
      refuse(position, "\"${\" without \"}\"; write ${env:NAME} or ${env:NAME:default}");
    }
    out += text.substr(end_of_last, begin - end_of_last);
    out += variable_value(text.substr(begin + 2, end - begin - 2), position);
    end_of_last = end + 1;
  }
  out += text.substr(end_of_last);
  if (out.find("${") != std::string::npos) {
    refuse(position,
           "\"${\" is left after the variables are replaced; remove it from their values");
  }
  return out;
}

// The position of a text that contained variables. Messages show the text next to it, because they
// quote a value that is not in the file.
Position position_with_text(const Position& position, const std::string& text) {
  const std::string name = position.text() + " (" + shortened(text) + ")";
  return {std::make_shared<Source>(Source{name, position.source ? position.source->folder : ""})};
}

bool is_inline_data(const std::string& pointer) {
  return std::any_of(split_keys.begin(), split_keys.end(), [&](const sculpt_parameter& split) {
    return pointer == pointer_to("/dataset", split.name) + "/text";
  });
}

// `value`: the value of the document at `pointer`. Only texts are changed.
void expand(JsonDocument& document, const Json& value, const std::string& pointer) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      expand(document, member, pointer_to(pointer, key));
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      expand(document, value[i], pointer + "/" + std::to_string(i));
    }
  } else if (value.is_string() && !is_inline_data(pointer)) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.find("${") == std::string::npos) return;
    const Position position = document.position(pointer);
    document.set(pointer, expanded(text, position), position_with_text(position, text));
  }
}

}  // namespace

void expand_environment(JsonDocument& document) {
  expand(document, document.json(), "");
}

}  // namespace sculpt::core
