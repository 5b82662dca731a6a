#include "command/reports/top_weights.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/message_text.hpp"
#include "command/reports/scaled_name.hpp"

namespace sculpt::core {
namespace {

// The indices of the `max_count` largest weights.
std::vector<std::int64_t> largest_weights(const Vector& w, std::int64_t max_count) {
  std::vector<std::int64_t> heap;  // the smallest weight is at the front
  const auto is_larger = [&w](std::int64_t a, std::int64_t b) {
    const double x = std::abs(w[static_cast<std::size_t>(a)]);
    const double y = std::abs(w[static_cast<std::size_t>(b)]);
    return x > y || (x == y && a < b);
  };
  for (std::int64_t index = 0; max_count > 0 && index < std::ssize(w); ++index) {
    if (w[static_cast<std::size_t>(index)] == 0) continue;
    if (std::ssize(heap) == max_count) {
      if (!is_larger(index, heap.front())) continue;
      std::pop_heap(heap.begin(), heap.end(), is_larger);
      heap.pop_back();
    }
    heap.push_back(index);
    std::push_heap(heap.begin(), heap.end(), is_larger);
  }
  std::sort_heap(heap.begin(), heap.end(), is_larger);
  return heap;
}

}  // namespace

WeightNames::WeightNames(Problem* problem, bool is_named_by_scale)
    : problem_(problem), is_named_by_scale_(is_named_by_scale) {
  if (problem_ == nullptr) return;
  units_.emplace(problem_->dataset().component(), problem_->features().component());
}

WeightUnit WeightNames::unit_of(std::int64_t weight) const {
  if (problem_ == nullptr) return {"weight " + std::to_string(weight), std::nullopt};
  std::string name = problem_->features().weight_name(weight);
  if (problem_->replaces_rows()) return {std::move(name), std::nullopt};
  if (units_->is_offered()) return units_->unit_of(weight, name);
  return is_named_by_scale_ ? scaled_name(name) : WeightUnit{std::move(name), std::nullopt};
}

bool TopWeights::is_scaled() const {
  return std::any_of(units.begin(), units.end(),
                     [](const WeightUnit& unit) { return unit.divisor.value_or(1) != 1; });
}

TopWeights top_weights(const Vector& w, std::int64_t max_count, const WeightNames& names) {
  TopWeights top;
  for (const std::int64_t index : largest_weights(w, max_count)) {
    top.weights.push_back(w[static_cast<std::size_t>(index)]);
    top.units.push_back(names.unit_of(index));
  }
  return top;
}

std::string unit_text(double weight, const WeightUnit& unit) {
  if (!unit.divisor) return "-";
  const double per_unit = weight / *unit.divisor;
  if (std::isinf(per_unit)) return per_unit > 0 ? "> 1.8e+308" : "< -1.8e+308";
  return number_text(per_unit);
}

std::string scaling_in(const nlohmann::ordered_json& header) {
  const nlohmann::ordered_json dataset =
      header.value("/config/dataset"_json_pointer, nlohmann::ordered_json());
  const nlohmann::ordered_json scaling = dataset.is_object()
                                             ? dataset.value("scaling", nlohmann::ordered_json())
                                             : nlohmann::ordered_json();
  return scaling.is_string() ? scaling.get<std::string>() : "none";
}

}  // namespace sculpt::core
