// checked_parameters.hpp - reads the values of a declared table of parameters from JSON.
//
// The only place that checks parameters: type, range, choices, unknown and missing keys, defaults.
// It serves components (sculpt_component.parameters), solvers, and the top level of the experiment.
// Called by experiment.cpp, launch, command/inputs and check/tests.
#pragma once

#include <sculpt/parameter.h>

#include <deque>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/json_document.hpp"

namespace sculpt::core {

// Rules in addition to parameter.h:
//   fallback "null"   the key is optional. Without it (or with an explicit null) the value has
//                     is_default 1, real NaN, integer -1, text NULL, items NULL.
//   []                items is not NULL, item_count is 0.
//   5.0, 1e6          are accepted for INT.
//   needs             a key is refused if its condition does not hold, unless it has its default.
//                     "other" holds if `other` has a value that is neither null nor its default.
//   PATH              absolute and lexically normal, relative to the folder of the file, or to the
//                     working directory if it comes from --set. Never empty.
//
// Whether values of type PATH are read. `unset` is for models, which hold no paths. Then each PATH
// and each list of PATH counts as an optional key that is not set, whatever its default. If it is
// set, it is refused.
enum class PathValues { read, unset };

class CheckedParameters {
 public:
  // `keys`: an object without `use`. `owner`: the name of the component in messages ("one_slack").
  // The table must outlive this object. `suggested`: further keys of the section that other code
  // reads; messages about unknown keys suggest them.
  // Throws Failure. Exit::config with the position: the experiment has an error. Exit::plugin: a
  // default does not satisfy its own declaration.
  CheckedParameters(std::span<const sculpt_parameter> table, const JsonDocument& keys,
                    const std::string& owner, PathValues paths = PathValues::read,
                    const std::vector<std::string>& suggested = {});
  CheckedParameters(CheckedParameters&&) noexcept;
  CheckedParameters& operator=(CheckedParameters&&) noexcept;
  ~CheckedParameters();

  // In the order of the table. The data they point to live as long as this object, also after a
  // move.
  std::span<const sculpt_value> values() const { return values_; }
  // The value with this name, which must be in the table.
  const sculpt_value& value(std::string_view name) const;

  // A warning for each deprecated key whose value is not its default.
  std::vector<std::string> warnings() const;

  // The values as a JSON object in the order of the table, with defaults and absolute paths.
  // Checking it again gives equal values.
  const nlohmann::ordered_json& resolved() const { return *resolved_; }
  // The same without the keys of type PATH, for a model.
  nlohmann::ordered_json resolved_without_paths() const;

 private:
  class Checker;

  bool has_default(const sculpt_parameter& parameter) const;

  std::span<const sculpt_parameter> table_;
  std::string owner_;
  Position section_;                  // of the keys: the folder of relative paths
  std::vector<sculpt_value> values_;  // [table]
  std::deque<std::string> texts_;     // deque: growing moves no element
  std::deque<std::vector<sculpt_value>> lists_;
  std::unique_ptr<nlohmann::ordered_json> resolved_;
};

}  // namespace sculpt::core
