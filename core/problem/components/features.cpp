#include "problem/components/features.hpp"

#include <sculpt/ext/groups.h>

#include <algorithm>

#include "problem/plugin/call_with_accumulator.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_groups> {
  static constexpr const char* id = SCULPT_EXT_GROUPS;
  static constexpr std::size_t required_functions = 1;
};

std::int64_t Features::dimension() const {
  std::int64_t dimension = 0;
  component_.call("dimension", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_features_api>().dimension(component_.self(), &dimension, error);
  });
  return dimension;
}

std::vector<std::uint8_t> Features::nonnegative(std::int64_t dimension) const {
  const auto* const table = component_.extension<sculpt_ext_weight_bounds>();
  if (table == nullptr) return {};
  std::vector<std::uint8_t> nonnegative(static_cast<std::size_t>(dimension), 0);
  const FilledArray<std::uint8_t> filled(component_, "the bounds of the weights", nonnegative);
  component_.call("weight-bounds.bounds", -1, [&](sculpt_error* error) {
    return table->bounds(component_.self(), filled.data(), error);
  });
  filled.take();
  const auto wrong =
      std::find_if(nonnegative.begin(), nonnegative.end(), [](auto value) { return value > 1; });
  if (wrong != nonnegative.end()) {
    component_.refuse(Exit::plugin, -1,
                      "the bound of weight " + std::to_string(wrong - nonnegative.begin()) +
                          " is " + std::to_string(*wrong) + "; it must be 0 or 1");
  }
  const bool has_any = std::find(nonnegative.begin(), nonnegative.end(), 1) != nonnegative.end();
  return has_any ? nonnegative : std::vector<std::uint8_t>();
}

std::string Features::obstacle_to_groups() const {
  if (component_.extension<sculpt_ext_groups>() != nullptr) return "";
  return component_.name() +
         " does not report which of its features exclude each other (" SCULPT_EXT_GROUPS ")";
}

std::vector<std::int32_t> Features::groups(std::int64_t dimension) const {
  const auto* const table = component_.extension<sculpt_ext_groups>();
  std::vector<std::int32_t> group(static_cast<std::size_t>(dimension), -1);
  const FilledArray<std::int32_t> filled(component_, "the groups of the weights", group);
  component_.call("groups", -1, [&](sculpt_error* error) {
    return table->groups(component_.self(), filled.data(), error);
  });
  filled.take();
  const auto wrong = std::find_if(group.begin(), group.end(), [&](std::int32_t index) {
    return index < -1 || index >= dimension;
  });
  if (wrong != group.end()) {
    component_.refuse(Exit::plugin, -1,
                      "the group of weight " + std::to_string(wrong - group.begin()) + " is " +
                          std::to_string(*wrong) +
                          "; it must be -1 or the number of a group, counted from 0");
  }
  return group;
}

void Features::vector(int worker, std::int64_t example, sculpt_labels y, Exit exit_for_values,
                      SparseAccumulator& scratch, SparseVector& out) {
  compute_vector(worker, example, y, exit_for_values, scratch, out);
  if (!component_.services().is_guarded()) return;
  SparseVector again;
  compute_vector(worker, example, y, exit_for_values, scratch, again);
  if (again.index == out.index && again.value == out.value) return;
  component_.refuse(Exit::plugin, example,
                    "the features of the same output differ in a second call");
}

void Features::compute_vector(int worker, std::int64_t example, sculpt_labels y,
                              Exit exit_for_values, SparseAccumulator& scratch, SparseVector& out) {
  void* const session = sessions_.for_worker(worker);
  const LentLabels output(component_, "the labels of the output", y);
  call_with_accumulator(component_, "accumulate", example, exit_for_values, scratch,
                        [&](auto* sum, auto* error) {
                          return component_.api<sculpt_features_api>().accumulate(
                              session, example, output.raw(), 1.0, sum, error);
                        });
  output.require_unchanged(example);
  scratch.merge(out);
}

void Features::pull_back(int worker, std::int64_t example, std::span<const double> mu, double scale,
                         SparseAccumulator& sum) {
  const auto* const table = component_.extension<sculpt_ext_factor_graph>();
  void* const session = sessions_.for_worker(worker);
  const LentArray<double> cells(component_, "mu", mu);
  call_with_accumulator(component_, "factor-graph.pullback", example, Exit::plugin, sum,
                        [&](auto* raw, auto* error) {
                          return table->pullback(session, example, cells.data(), scale, raw, error);
                        });
  cells.require_unchanged(example);
}

std::string Features::weight_name(std::int64_t weight) const {
  const auto* const table = component_.extension<sculpt_ext_names>();
  if (table == nullptr) return "";
  ByteBuffer text;
  component_.call("names.name", -1, [&](sculpt_error* error) {
    return table->name(component_.self(), weight, text.raw(), error);
  });
  return text.text_of(component_, -1);
}

}  // namespace sculpt::core
