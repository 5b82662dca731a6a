// checked_parameters.hpp - the values of a declared table of parameters, read out of JSON.
//
// The one place where a parameter is judged: type, range, choices, unknown and missing keys,
// defaults. Used for components (sculpt_component.parameters), for solvers, and for the top level
// of the experiment itself.
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

// Conventions beyond parameter.h:
//   fallback "null"   the key is optional. Without it (or with an explicit null) the value has
//                     is_default 1, real NaN, integer -1, text NULL, items NULL.
//   []                items is not NULL, item_count is 0.
//   5.0, 1e6          are accepted for INT.
//   PATH              absolute and lexically normal, against the folder of the file, or the working
//                     directory when it comes from --set. Never empty.
//
// Whether values of type PATH are read. `unset` is for models, which hold no paths: each PATH, and
// each list of them, then is as an optional key that is not there, whatever its default; one that
// is there is refused.
enum class PathValues { read, unset };

class CheckedParameters {
 public:
  // `keys` is an object without `use`; `owner` names the component in messages ("one_slack"). The
  // table must outlive this object. `suggested`: keys of the section that others have read, which
  // an unknown one may be meant for.
  // Throws Failure: Exit::config with the place for what the experiment says, Exit::plugin when a
  // default does not satisfy its own declaration.
  CheckedParameters(std::span<const sculpt_parameter> table, const JsonDocument& keys,
                    const std::string& owner, PathValues paths = PathValues::read,
                    const std::vector<std::string>& suggested = {});
  CheckedParameters(CheckedParameters&&) noexcept;
  CheckedParameters& operator=(CheckedParameters&&) noexcept;
  ~CheckedParameters();

  // In the order of the table. What they point to lives as long as this object, moved or not.
  std::span<const sculpt_value> values() const { return values_; }
  // By name, which must be in the table.
  const sculpt_value& value(std::string_view name) const;

  // The same as a JSON object in the order of the table, defaults filled in and paths absolute.
  // Checking it again gives equal values.
  const nlohmann::ordered_json& resolved() const { return *resolved_; }
  // The same for a model: without the keys of type PATH.
  nlohmann::ordered_json resolved_without_paths() const;

 private:
  class Checker;

  std::span<const sculpt_parameter> table_;
  std::vector<sculpt_value> values_;  // [table]
  std::deque<std::string> texts_;     // deques: growing moves no element
  std::deque<std::vector<sculpt_value>> lists_;
  std::unique_ptr<nlohmann::ordered_json> resolved_;
};

}  // namespace sculpt::core
