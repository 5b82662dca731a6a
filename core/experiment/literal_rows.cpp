#include "experiment/literal_rows.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/failure.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/parameter_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The lists of the experiment, and the record that points at them. Must not move.
struct OwnedRows {
  sculpt_memory_rows raw{};
  std::vector<std::int64_t> first_site, row_from, first_edge, first_label;
  std::vector<std::int32_t> index, edge, edge_kind, label;
  std::vector<double> value, weight;
  std::vector<std::string> names[4];
  std::vector<const char*> name_lists[4];
};

class LiteralReader {
 public:
  LiteralReader(const JsonDocument& keys, std::string pointer)
      : keys_(keys), pointer_(std::move(pointer)), json_(*keys.find(pointer_)) {}

  void read(OwnedRows& rows) {
    if (!json_.is_object()) {
      refuse(keys_.position(pointer_),
             "\"arrays\" must be an object of lists, not " + found_text(json_));
    }
    sculpt_memory_rows& raw = rows.raw;
    raw.struct_size = sizeof raw;
    number("state_count", raw.state_count);
    number("feature_count", raw.feature_count);
    number("variable_count", raw.variable_count);
    number("edge_kind_count", raw.edge_kind_count);
    list("first_site", rows.first_site, raw.first_site);
    list("row_from", rows.row_from, raw.row_from);
    list("index", rows.index, raw.index);
    list("value", rows.value, raw.value);
    list("first_edge", rows.first_edge, raw.first_edge);
    list("edge", rows.edge, raw.edge);
    list("edge_kind", rows.edge_kind, raw.edge_kind);
    list("first_label", rows.first_label, raw.first_label);
    list("label", rows.label, raw.label);
    list("weight", rows.weight, raw.weight);
    names("state_name", rows.names[0], rows.name_lists[0], raw.state_name);
    names("feature_name", rows.names[1], rows.name_lists[1], raw.feature_name);
    names("variable_name", rows.names[2], rows.name_lists[2], raw.variable_name);
    names("edge_kind_name", rows.names[3], rows.name_lists[3], raw.edge_kind_name);
    for (const auto& [key, value] : json_.items()) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      refuse(keys_.key_position(pointer_to(pointer_, key)),
             "unknown key \"" + key + "\" of \"arrays\", " + suggest_name(key, known_));
    }
    raw.site_count = site_count(rows);
    raw.example_count = rows.first_site.empty() ? raw.site_count : std::ssize(rows.first_site) - 1;
    require_sizes(rows);
  }

 private:
  const Json* find(const char* key) {
    known_.emplace_back(key);
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }
  [[noreturn]] void refuse_value(const std::string& pointer, const std::string& expected) const {
    refuse(keys_.position(pointer),
           "must be " + expected + ", not " + found_text(*keys_.find(pointer)));
  }
  template <class Number>
  Number number_at(const std::string& pointer) const {
    const Json& json = *keys_.find(pointer);
    if constexpr (std::is_floating_point_v<Number>) {
      if (!json.is_number()) refuse_value(pointer, "a number");
      return json.get<Number>();
    } else {
      if (!json.is_number_integer()) refuse_value(pointer, "a whole number");
      const auto value = json.get<std::int64_t>();
      const bool fits = value >= std::numeric_limits<Number>::min() &&
                        value <= std::numeric_limits<Number>::max();
      if (!fits) refuse_value(pointer, "a number of 32 bits");
      return static_cast<Number>(value);
    }
  }
  template <class Number>
  void number(const char* key, Number& value) {
    if (find(key) == nullptr) return;
    const std::string pointer = pointer_to(pointer_, key);
    value = number_at<std::int32_t>(pointer);
    if (value < 0) refuse_value(pointer, "at least 0");
  }
  template <class Number>
  void list(const char* key, std::vector<Number>& values, const Number*& raw) {
    const std::string pointer = pointer_to(pointer_, key);
    const Json* const json = find(key);
    if (json == nullptr) return;
    if (!json->is_array()) refuse_value(pointer, "a list of numbers");
    values.reserve(json->size() + 1);  // so that an empty list is not missing
    for (std::size_t k = 0; k < json->size(); ++k) {
      values.push_back(number_at<Number>(pointer_to(pointer, std::to_string(k))));
    }
    raw = values.data();
  }
  void names(const char* key, std::vector<std::string>& texts, std::vector<const char*>& list,
             const char* const*& raw) {
    const std::string pointer = pointer_to(pointer_, key);
    const Json* const json = find(key);
    if (json == nullptr) return;
    if (!json->is_array()) refuse_value(pointer, "a list of names");
    for (std::size_t k = 0; k < json->size(); ++k) {
      const std::string item = pointer_to(pointer, std::to_string(k));
      if (!(*json)[k].is_string()) refuse_value(item, "a name");
      texts.push_back((*json)[k].get<std::string>());
    }
    for (const std::string& text : texts) list.push_back(text.c_str());
    raw = list.data();
  }

  std::int64_t site_count(const OwnedRows& rows) const {
    if (!rows.row_from.empty()) return std::ssize(rows.row_from) - 1;
    const std::int64_t features = rows.raw.feature_count;
    return features > 0 ? std::ssize(rows.value) / features : 0;
  }

  void require_size(const char* key, std::int64_t size, std::int64_t expected) const {
    if (!json_.contains(key) || size == expected) return;
    refuse(keys_.position(pointer_to(pointer_, key)),
           "\"" + std::string(key) + "\" has " + std::to_string(size) +
               " items, but the other lists need " + std::to_string(expected));
  }
  // What the C interface cannot check.
  void require_sizes(const OwnedRows& rows) const {
    const sculpt_memory_rows& raw = rows.raw;
    const auto last = [](const std::vector<std::int64_t>& offsets) {
      return offsets.empty() ? 0 : offsets.back();
    };
    const bool is_dense = rows.row_from.empty();
    const std::int64_t entries =
        is_dense ? raw.site_count * raw.feature_count : last(rows.row_from);
    const std::int64_t edges = last(rows.first_edge);
    const std::int64_t labels =
        rows.first_label.empty()
            ? (raw.variable_count > 0 ? raw.variable_count * raw.example_count : raw.site_count)
            : last(rows.first_label);
    require_size("first_site", std::ssize(rows.first_site), raw.example_count + 1);
    require_size("row_from", std::ssize(rows.row_from), raw.site_count + 1);
    require_size("index", std::ssize(rows.index), is_dense ? 0 : entries);
    require_size("value", std::ssize(rows.value), entries);
    require_size("first_edge", std::ssize(rows.first_edge), raw.example_count + 1);
    require_size("edge", std::ssize(rows.edge), 2 * edges);
    require_size("edge_kind", std::ssize(rows.edge_kind), edges);
    require_size("first_label", std::ssize(rows.first_label), raw.example_count + 1);
    require_size("label", std::ssize(rows.label), labels);
    require_size("weight", std::ssize(rows.weight), raw.example_count);
    require_size("state_name", std::ssize(rows.names[0]), raw.state_count);
    require_size("feature_name", std::ssize(rows.names[1]), raw.feature_count);
    require_size("variable_name", std::ssize(rows.names[2]), raw.variable_count);
    require_size("edge_kind_name", std::ssize(rows.names[3]), raw.edge_kind_count);
  }

  const JsonDocument& keys_;
  const std::string pointer_;
  const Json& json_;
  std::vector<std::string> known_;
};

}  // namespace

std::shared_ptr<const MemoryRows> literal_rows(const JsonDocument& keys, const std::string& pointer,
                                               const std::string& name) {
  const auto rows = std::make_shared<OwnedRows>();
  LiteralReader(keys, pointer).read(*rows);
  try {
    return std::make_shared<MemoryRows>(name, rows->raw, rows);
  } catch (const Failure& failure) {
    throw failure.with_text(keys.position(pointer).text() + ": " + failure.what());
  }
}

}  // namespace sculpt::core
