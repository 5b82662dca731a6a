// weight_names.hpp - the names of the weights of a model, with the scale of their columns.
//
// Called by describe, explain and diff.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "problem/components/weight_units.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// How the dataset of a model scaled its columns, by the header; "none" if it did not.
std::string scaling_in(const nlohmann::ordered_json& header);

class WeightNames {
 public:
  // `problem` may be nullptr: then the names are those in the header, or numbers. `header`: of the
  // model, which outlives this.
  WeightNames(Problem* problem, const nlohmann::ordered_json& header);

  // The name of a weight without the scale of its column. "weight 7" if the features give none.
  // Throws Failure. [any]
  WeightUnit unit_of(std::int64_t weight) const;
  std::string name_of(std::int64_t weight) const { return unit_of(weight).name; }

 private:
  std::string stored_name(std::int64_t weight) const;  // "" if there is none

  Problem* problem_;
  const nlohmann::ordered_json& header_;
  bool is_named_by_scale_;  // names may end in the scale of their column
  std::optional<WeightUnits> units_;
};

}  // namespace sculpt::core
