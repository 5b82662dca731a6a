#include "experiment/checked_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/failure.hpp"
#include "base/infinity.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/parameter_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The value of an optional key that is not set.
sculpt_value absent_value(const sculpt_parameter& parameter) {
  sculpt_value value{};
  value.type = parameter.type;
  value.is_default = 1;
  value.integer = -1;
  value.real = std::numeric_limits<double>::quiet_NaN();
  return value;
}

// Accepts 5, and also 5.0 and 1e6 in the range where double represents every integer.
std::optional<std::int64_t> whole_number(const Json& json) {
  constexpr double max_exact_integer = 9007199254740992.0;  // 2^53
  if (json.is_number_unsigned()) {
    const auto value = json.get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(value);
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (!json.is_number_float()) return std::nullopt;
  const double value = json.get<double>();
  if (std::trunc(value) != value || std::abs(value) > max_exact_integer) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

bool holds_path(const sculpt_parameter& parameter) {
  return (parameter.type & ~std::uint32_t{SCULPT_PARAMETER_LIST}) == SCULPT_PARAMETER_PATH;
}

bool exceeds_64_bits(const Json& number) {
  return !whole_number(number) && std::abs(number.get<double>()) >= 0x1p63;
}

}  // namespace

// Reads the values of a table and stores them.
class CheckedParameters::Checker {
 public:
  Checker(CheckedParameters& out, const std::string& owner, PathValues paths,
          const std::vector<std::string>& suggested)
      : out_(out), owner_(owner), paths_(paths), suggested_(suggested) {}

  void refuse_unknown(const JsonDocument& keys) const;
  // Refuses a key whose condition `needs` does not hold. All values have been read.
  void refuse_unmet_needs(const JsonDocument& keys) const;
  // The value of one parameter. Also writes it to the resolved object.
  sculpt_value read(const sculpt_parameter& parameter, const JsonDocument& keys);

 private:
  sculpt_value read_default(const sculpt_parameter& parameter, const Position& section);
  // `resolved` is the JSON as written; on return it is the checked value.
  sculpt_value read_any(const sculpt_parameter& parameter, const JsonDocument& document,
                        const std::string& pointer, Json& resolved);
  // `label`: the name of the value in messages: "widths", item 2 of "widths".
  sculpt_value read_item(const sculpt_parameter& parameter, const std::string& label,
                         const Position& position, Json& resolved);
  bool read_number(const sculpt_parameter& parameter, Json& resolved, sculpt_value& value) const;
  bool read_text(const sculpt_parameter& parameter, const Position& position, Json& resolved,
                 sculpt_value& value);
  const char* store_text(std::string text);

  CheckedParameters& out_;
  const std::string& owner_;
  const PathValues paths_;
  const std::vector<std::string>& suggested_;
};

void CheckedParameters::Checker::refuse_unknown(const JsonDocument& keys) const {
  std::vector<std::string> known;
  for (const sculpt_parameter& parameter : out_.table_) known.emplace_back(parameter.name);
  const std::vector<std::string> declared = known;
  known.insert(known.end(), suggested_.begin(), suggested_.end());
  for (const auto& [key, value] : keys.json().items()) {
    if (std::find(declared.begin(), declared.end(), key) != declared.end()) continue;
    refuse(keys.key_position(pointer_to("", key)),
           "unknown key \"" + key + "\" of " + owner_ + ", " + suggest_name(key, known));
  }
}

void CheckedParameters::Checker::refuse_unmet_needs(const JsonDocument& keys) const {
  for (const sculpt_parameter& parameter : out_.table_) {
    if (parameter.needs == nullptr || out_.has_default(parameter)) continue;
    const std::string condition = parameter.needs;
    const std::string other = condition.substr(0, condition.find('='));
    const Json wanted = Json::parse(condition.substr(std::min(other.size() + 1, condition.size())),
                                    nullptr, false);  // discarded: any value but the default
    const auto declared = std::find_if(out_.table_.begin(), out_.table_.end(),
                                       [&](const auto& one) { return one.name == other; });
    // A model holds no paths, so it cannot say whether one was set.
    if (paths_ == PathValues::unset && declared != out_.table_.end() && holds_path(*declared)) {
      continue;
    }
    const bool holds = wanted.is_discarded()
                           ? declared != out_.table_.end() && !out_.has_default(*declared)
                           : out_.resolved_->value(other, Json()) == wanted;
    if (holds) continue;
    const std::string remedy = wanted.is_discarded() ? "set \"" + other + "\""
                                                     : "set \"" + other + "\" to " + wanted.dump();
    refuse(keys.position(pointer_to("", parameter.name)),
           "\"" + std::string(parameter.name) + "\" of " + owner_ + " has no effect here; " +
               remedy + " too, or leave it out");
  }
}

sculpt_value CheckedParameters::Checker::read(const sculpt_parameter& parameter,
                                              const JsonDocument& keys) {
  const std::string pointer = pointer_to("", parameter.name);
  const Json* json = keys.find(pointer);
  const bool is_unset_path = paths_ == PathValues::unset && holds_path(parameter);
  if (is_unset_path && json && !json->is_null()) {
    refuse(keys.position(pointer), "the config of a model must not contain paths, such as \"" +
                                       std::string(parameter.name) + "\" of " + owner_);
  }
  const bool is_optional =
      is_unset_path || (parameter.fallback && std::string_view(parameter.fallback) == "null");
  if (is_optional && (!json || json->is_null())) {
    (*out_.resolved_)[parameter.name] = nullptr;
    return absent_value(parameter);
  }
  if (!json && !parameter.fallback) {
    const std::string summary = parameter.summary ? std::string(": ") + parameter.summary : "";
    const bool accepts_any_value = parameter.type == SCULPT_PARAMETER_JSON;
    const std::string expected =
        accepts_any_value ? "" : ", it must be " + expected_text(parameter);
    refuse(keys.position(""), "the key \"" + std::string(parameter.name) + "\" of " + owner_ +
                                  " is missing" + expected + summary);
  }
  if (!json) return read_default(parameter, keys.position(""));
  Json resolved = *json;
  const sculpt_value value = read_any(parameter, keys, pointer, resolved);
  (*out_.resolved_)[parameter.name] = std::move(resolved);
  return value;
}

sculpt_value CheckedParameters::Checker::read_default(const sculpt_parameter& parameter,
                                                      const Position& section) {
  const std::string name = owner_ + ": the default of \"" + parameter.name + "\"";
  const Source source{name, section.source ? section.source->folder : ""};
  try {
    const JsonDocument document = JsonDocument::parse(parameter.fallback, source);
    Json resolved = document.json();
    sculpt_value value = read_any(parameter, document, "", resolved);
    value.is_default = 1;
    (*out_.resolved_)[parameter.name] = std::move(resolved);
    return value;
  } catch (const Failure& failure) {
    throw Failure(Exit::plugin, failure.what());
  }
}

sculpt_value CheckedParameters::Checker::read_any(const sculpt_parameter& parameter,
                                                  const JsonDocument& document,
                                                  const std::string& pointer, Json& resolved) {
  const std::string name = "\"" + std::string(parameter.name) + "\"";
  if (!(parameter.type & SCULPT_PARAMETER_LIST)) {
    return read_item(parameter, name, document.position(pointer), resolved);
  }
  if (!resolved.is_array()) {
    refuse(document.position(pointer),
           name + " must be " + expected_text(parameter) + ", not " + found_text(resolved));
  }
  std::vector<sculpt_value> items;
  items.reserve(resolved.size() + 1);  // so items is not NULL for an empty list
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    const Position& position = document.position(pointer + "/" + std::to_string(i));
    const std::string label = "item " + std::to_string(i + 1) + " of " + name;
    items.push_back(read_item(parameter, label, position, resolved[i]));
  }
  out_.lists_.push_back(std::move(items));
  sculpt_value list{};
  list.type = parameter.type;
  list.items = out_.lists_.back().data();
  list.item_count = static_cast<std::int64_t>(out_.lists_.back().size());
  return list;
}

sculpt_value CheckedParameters::Checker::read_item(const sculpt_parameter& parameter,
                                                   const std::string& label,
                                                   const Position& position, Json& resolved) {
  sculpt_value value{};
  value.type = parameter.type & ~static_cast<std::uint32_t>(SCULPT_PARAMETER_LIST);
  bool is_accepted = false;
  switch (value.type) {
    case SCULPT_PARAMETER_BOOL:
      is_accepted = resolved.is_boolean();
      if (is_accepted) value.integer = resolved.get<bool>() ? 1 : 0;
      break;
    case SCULPT_PARAMETER_INT:
    case SCULPT_PARAMETER_REAL:
      is_accepted = read_number(parameter, resolved, value);
      break;
    case SCULPT_PARAMETER_JSON:
      is_accepted = true;
      value.text = store_text(resolved.dump());
      break;
    case SCULPT_PARAMETER_TEXT:
    case SCULPT_PARAMETER_PATH:
    case SCULPT_PARAMETER_CHOICE:
      is_accepted = read_text(parameter, position, resolved, value);
      break;
    default:
      throw Failure(Exit::plugin, owner_ + ": the parameter \"" + parameter.name +
                                      "\" is declared with the unknown type " +
                                      std::to_string(parameter.type));
  }
  if (is_accepted) return value;
  std::string message =
      label + " must be " + expected_item_text(parameter) + ", not " + found_text(resolved);
  if (value.type == SCULPT_PARAMETER_INT && resolved.is_number() && exceeds_64_bits(resolved)) {
    message += ", which does not fit into 64 bits";
  }
  if (value.type == SCULPT_PARAMETER_CHOICE && resolved.is_string()) {
    const auto nearest = nearest_name(resolved.get<std::string>(), choices_of(parameter));
    if (nearest) message += ", did you mean \"" + *nearest + "\"?";
  }
  refuse(position, message);
}

bool CheckedParameters::Checker::read_number(const sculpt_parameter& parameter, Json& resolved,
                                             sculpt_value& value) const {
  Json checked = resolved;
  if (value.type == SCULPT_PARAMETER_INT) {
    const auto whole = whole_number(resolved);
    if (!whole) return false;
    value.integer = *whole;
    value.real = static_cast<double>(*whole);
    checked = *whole;
  } else if (resolved.is_string() && resolved == "inf" && std::isinf(parameter.upper)) {
    value.real = infinity;
  } else if (resolved.is_number()) {
    value.real = resolved.get<double>();
    checked = value.real;
  } else {
    return false;
  }
  if (value.real < parameter.lower || value.real > parameter.upper) return false;
  resolved = std::move(checked);  // only now: a message about the range shows the text as written
  return true;
}

bool CheckedParameters::Checker::read_text(const sculpt_parameter& parameter,
                                           const Position& position, Json& resolved,
                                           sculpt_value& value) {
  // Accepts 4 for "4", if a choice is a number.
  if (value.type == SCULPT_PARAMETER_CHOICE && resolved.is_number_integer()) {
    const std::vector<std::string> choices = choices_of(parameter);
    const auto found = std::find(choices.begin(), choices.end(), resolved.dump());
    if (found != choices.end()) resolved = *found;
  }
  if (!resolved.is_string()) return false;
  const auto& text = resolved.get_ref<const std::string&>();
  // For a plugin in C the text would end there.
  if (text.find('\0') != std::string::npos) {
    refuse(position,
           "\"" + std::string(parameter.name) + "\" must not contain the character \\u0000");
  }
  if (value.type == SCULPT_PARAMETER_CHOICE) {
    const std::vector<std::string> choices = choices_of(parameter);
    const auto found = std::find(choices.begin(), choices.end(), text);
    if (found == choices.end()) return false;
    value.integer = found - choices.begin();
  }
  if (value.type == SCULPT_PARAMETER_PATH) {
    if (text.empty()) return false;
    resolved = position.absolute(text);
  }
  value.text = store_text(resolved.get<std::string>());
  return true;
}

const char* CheckedParameters::Checker::store_text(std::string text) {
  out_.texts_.push_back(std::move(text));
  return out_.texts_.back().c_str();
}

CheckedParameters::CheckedParameters(std::span<const sculpt_parameter> table,
                                     const JsonDocument& keys, const std::string& owner,
                                     PathValues paths, const std::vector<std::string>& suggested)
    : table_(table),
      owner_(owner),
      section_(keys.position("")),
      resolved_(std::make_unique<Json>(Json::object())) {
  if (!keys.json().is_object()) {
    refuse(keys.position(""), owner + " must be an object { ... }, not " + found_text(keys.json()));
  }
  Checker checker(*this, owner, paths, suggested);
  checker.refuse_unknown(keys);
  values_.reserve(table.size());
  for (const sculpt_parameter& parameter : table) values_.push_back(checker.read(parameter, keys));
  checker.refuse_unmet_needs(keys);
}

CheckedParameters::CheckedParameters(CheckedParameters&&) noexcept = default;
CheckedParameters& CheckedParameters::operator=(CheckedParameters&&) noexcept = default;
CheckedParameters::~CheckedParameters() = default;

// Equal to the default also if the experiment sets it, as every key of a resolved experiment is.
bool CheckedParameters::has_default(const sculpt_parameter& parameter) const {
  const Json& resolved = (*resolved_)[parameter.name];
  if (value(parameter.name).is_default != 0 || resolved.is_null()) return true;
  if (parameter.fallback == nullptr) return false;
  Json fallback = Json::parse(parameter.fallback, nullptr, false);
  if (!holds_path(parameter)) return resolved == fallback;
  // A resolved path is absolute.
  for (Json& path : fallback) {
    if (path.is_string()) path = section_.absolute(path.get<std::string>());
  }
  return resolved == fallback;
}

std::vector<std::string> CheckedParameters::warnings() const {
  std::vector<std::string> warnings;
  for (const sculpt_parameter& parameter : table_) {
    if ((parameter.flags & SCULPT_PARAMETER_DEPRECATED) == 0 || has_default(parameter)) continue;
    warnings.push_back("the key \"" + std::string(parameter.name) + "\" of " + owner_ +
                       " is deprecated: " + parameter.summary);
  }
  return warnings;
}

Json CheckedParameters::resolved_without_paths() const {
  Json resolved = *resolved_;
  for (const sculpt_parameter& parameter : table_) {
    if (holds_path(parameter)) resolved.erase(parameter.name);
  }
  return resolved;
}

const sculpt_value& CheckedParameters::value(std::string_view name) const {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (name == table_[i].name) return values_[i];
  }
  throw Failure(Exit::internal, "no parameter is called \"" + std::string(name) + "\"");
}

}  // namespace sculpt::core
