#include "command/reports/weight_names.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "command/data/stored_names.hpp"
#include "command/reports/scaled_name.hpp"

namespace sculpt::core {

std::string scaling_in(const nlohmann::ordered_json& header) {
  using Json = nlohmann::ordered_json;
  const Json dataset = header.value("/config/dataset"_json_pointer, Json());
  const Json scaling = dataset.is_object() ? dataset.value("scaling", Json()) : Json();
  return scaling.is_string() ? scaling.get<std::string>() : "none";
}

WeightNames::WeightNames(Problem* problem, const nlohmann::ordered_json& header)
    : problem_(problem), header_(header), is_named_by_scale_(scaling_in(header) != "none") {
  if (problem_ == nullptr) return;
  units_.emplace(problem_->dataset().component(), problem_->features().component());
}

WeightUnit WeightNames::unit_of(std::int64_t weight) const {
  const auto numbered = [&] { return "weight " + std::to_string(weight); };
  std::string name =
      problem_ == nullptr ? stored_name(weight) : problem_->features().weight_name(weight);
  if (name.empty()) name = numbered();
  if (problem_ == nullptr) {
    return is_named_by_scale_ ? scaled_name(name) : WeightUnit{std::move(name), std::nullopt};
  }
  if (problem_->replaces_rows()) return {std::move(name), std::nullopt};
  if (units_->is_offered()) return units_->unit_of(weight, name);
  return is_named_by_scale_ ? scaled_name(name) : WeightUnit{std::move(name), std::nullopt};
}

std::string WeightNames::stored_name(std::int64_t weight) const {
  const auto names = header_.find(stored_names_key);
  const bool has_name = names != header_.end() && names->is_array() &&
                        weight < static_cast<std::int64_t>(names->size());
  if (!has_name) return "";
  const auto& name = (*names)[static_cast<std::size_t>(weight)];
  return name.is_string() ? name.get<std::string>() : "";
}

}  // namespace sculpt::core
