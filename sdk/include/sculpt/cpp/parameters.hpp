// parameters.hpp - declares parameters, and reads their checked values.
//
// SPDX-License-Identifier: Apache-2.0
//
//   static constexpr sculpt_parameter parameters[] = {
//       sculpt::boolean("bias", "true", "adds a constant feature"),
//       sculpt::integer("window", "2", 0, 9, "words on each side that count as context")};
//
// For all component classes. `fallback` is the default as JSON text, so a default text contains
// quotes: R"("word")". nullptr makes the parameter required. "null" makes it optional without a
// default (parameter.h).
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../parameter.h"
#include "error.hpp"

namespace sculpt {

namespace detail {
constexpr sculpt_parameter parameter(std::uint32_t type, const char* name, const char* fallback,
                                     double lower, double upper, const char* choices,
                                     const char* unit, const char* summary) {
  return {type, 0, name, fallback, lower, upper, choices, unit, summary, nullptr, 0};
}
}  // namespace detail

// The bound of a number that has none.
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

// One function for each type of parameter (parameter.h). `name` is the key in the experiment, and
// `summary` the text of `sculpt describe`.
constexpr sculpt_parameter boolean(const char* name, const char* fallback, const char* summary) {
  return detail::parameter(SCULPT_PARAMETER_BOOL, name, fallback, 0, 1, nullptr, nullptr, summary);
}
constexpr sculpt_parameter integer(const char* name, const char* fallback, double lower,
                                   double upper, const char* summary, const char* unit = nullptr) {
  return detail::parameter(SCULPT_PARAMETER_INT, name, fallback, lower, upper, nullptr, unit,
                           summary);
}
constexpr sculpt_parameter real(const char* name, const char* fallback, double lower, double upper,
                                const char* summary, const char* unit = nullptr) {
  return detail::parameter(SCULPT_PARAMETER_REAL, name, fallback, lower, upper, nullptr, unit,
                           summary);
}
constexpr sculpt_parameter text(const char* name, const char* fallback, const char* summary) {
  return detail::parameter(SCULPT_PARAMETER_TEXT, name, fallback, -no_limit, no_limit, nullptr,
                           nullptr, summary);
}
constexpr sculpt_parameter path(const char* name, const char* fallback, const char* summary) {
  return detail::parameter(SCULPT_PARAMETER_PATH, name, fallback, -no_limit, no_limit, nullptr,
                           nullptr, summary);
}
constexpr sculpt_parameter choice(const char* name, const char* fallback, const char* choices,
                                  const char* summary) {
  return detail::parameter(SCULPT_PARAMETER_CHOICE, name, fallback, -no_limit, no_limit, choices,
                           nullptr, summary);
}
constexpr sculpt_parameter json(const char* name, const char* fallback, const char* summary) {
  return detail::parameter(SCULPT_PARAMETER_JSON, name, fallback, -no_limit, no_limit, nullptr,
                           nullptr, summary);
}
// A list of values that `item` describes: list_of(integer("folds", "null", 0, 9, "folds to train
// on")).
constexpr sculpt_parameter list_of(sculpt_parameter item) {
  item.type |= SCULPT_PARAMETER_LIST;
  return item;
}

// A parameter that has an effect only if another one is set: needs(real("decay", ...), "schedule").
// Or only if it has this value: needs(integer("depth", ...), "kernel=\"tree\""). The host refuses
// an experiment that sets the parameter alone.
constexpr sculpt_parameter needs(sculpt_parameter item, const char* condition) {
  item.needs = condition;
  return item;
}
// A parameter that users should no longer set. Its summary says what to use instead.
constexpr sculpt_parameter deprecated(sculpt_parameter item) {
  item.flags |= SCULPT_PARAMETER_DEPRECATED;
  return item;
}

// The checked values of a component, by name. Valid only in the constructor of the component.
class Parameters {
 public:
  Parameters(const sculpt_parameter* table, std::int64_t count, const sculpt_value* values)
      : table_(table), count_(count), values_(values) {}

  // The value of a parameter. Throws E_INTERNAL if the table of T does not declare the name.
  bool boolean(std::string_view name) const { return value(name).integer != 0; }
  std::int64_t integer(std::string_view name) const { return value(name).integer; }
  double real(std::string_view name) const { return value(name).real; }
  std::string text(std::string_view name) const { return text_of(value(name)); }  // PATH, JSON too
  std::string choice(std::string_view name) const { return text(name); }
  // True if the experiment does not set the parameter.
  bool is_default(std::string_view name) const { return value(name).is_default != 0; }

  std::vector<std::int64_t> integers(std::string_view name) const {
    return items<std::int64_t>(name, [](const sculpt_value& item) { return item.integer; });
  }
  std::vector<double> reals(std::string_view name) const {
    return items<double>(name, [](const sculpt_value& item) { return item.real; });
  }
  std::vector<std::string> texts(std::string_view name) const {
    return items<std::string>(name, text_of);
  }

 private:
  static std::string text_of(const sculpt_value& value) {
    return value.text == nullptr ? std::string() : std::string(value.text);
  }
  template <class Item, class Get>
  std::vector<Item> items(std::string_view name, Get get) const {
    const sculpt_value& list = value(name);
    std::vector<Item> result;
    for (std::int64_t k = 0; k < list.item_count; ++k) result.push_back(get(list.items[k]));
    return result;
  }
  const sculpt_value& value(std::string_view name) const {
    for (std::int64_t k = 0; k < count_; ++k) {
      if (name == table_[k].name) return values_[k];
    }
    throw Error(SCULPT_E_INTERNAL,
                "reads parameter '" + std::string(name) + "', which its table does not declare");
  }

  const sculpt_parameter* table_;
  std::int64_t count_;
  const sculpt_value* values_;
};

}  // namespace sculpt
