#include "batch/graph_arrays.hpp"

#include <algorithm>

#include "base/failure.hpp"

namespace sculpt::core {

namespace {

constexpr std::int64_t most_cells = std::int64_t{1} << 31;  // of one example: 16 GiB

std::string array_text(const char* name, std::int64_t index) {
  return std::string(name) + "[" + std::to_string(index) + "]";
}

}  // namespace

void refuse_call(const char* function, const std::string& text) {
  throw Failure(Exit::usage, std::string(function) + ": " + text);
}

void require_theta_size(const char* function, std::int64_t example, double cells) {
  if (cells <= static_cast<double>(most_cells)) return;
  refuse_call(function, "example " + std::to_string(example) + " has more than " +
                            std::to_string(most_cells) +
                            " cells in its tables; use fewer labels or smaller scopes");
}

GraphArrays::GraphArrays(const char* function, const sculpt_batch_graph_arrays& arrays)
    : function_(function), arrays_(arrays) {
  if (arrays.example_count < 0) {
    refuse_call(function, "example_count is " + std::to_string(arrays.example_count));
  }
  require_offsets("variable_from", arrays.variable_from, arrays.example_count);
  if (arrays.factor_from != nullptr) {
    require_offsets("factor_from", arrays.factor_from, arrays.example_count);
    factors_ = arrays.factor_from[arrays.example_count];
    if (factors_ > 0 && arrays.scope == nullptr) refuse_call(function, "scope is NULL");
    if (arrays.scope_from != nullptr) require_offsets("scope_from", arrays.scope_from, factors_);
  }
  if (arrays.shared_count < 0 || (arrays.shared_count > 0 && arrays.shared_sizes == nullptr)) {
    refuse_call(function, "shared_count is " + std::to_string(arrays.shared_count) +
                              (arrays.shared_count < 0 ? "" : ", but shared_sizes is NULL"));
  }
  if (arrays.shared_count > 1 && arrays.shared_table == nullptr) {
    refuse_call(function, "shared_table is NULL; with " + std::to_string(arrays.shared_count) +
                              " shared tables it must say which one each factor uses");
  }
  for (std::int64_t k = 0; k < arrays.shared_count; ++k) {
    const std::int64_t cells = arrays.shared_sizes[k];
    if (cells < 0 || cells > most_cells || shared_from_.back() > most_cells) {
      refuse_call(function, array_text("shared_sizes", k) + " is " + std::to_string(cells) +
                                "; shared tables have from 0 to " + std::to_string(most_cells) +
                                " cells together");
    }
    shared_from_.push_back(shared_from_.back() + cells);
  }
  shared_dimensions_.resize(static_cast<std::size_t>(arrays.shared_count));
}

void GraphArrays::require_offsets(const char* name, const std::int64_t* from,
                                  std::int64_t count) const {
  if (from == nullptr) refuse_call(function_, std::string(name) + " is NULL");
  if (from[0] != 0) {
    refuse_call(function_,
                array_text(name, 0) + " is " + std::to_string(from[0]) + "; offsets begin with 0");
  }
  for (std::int64_t k = 0; k < count; ++k) {
    if (from[k + 1] >= from[k]) continue;
    refuse_call(function_, array_text(name, k + 1) + " is " + std::to_string(from[k + 1]) +
                               ", below " + std::to_string(from[k]) +
                               " before it; offsets never fall");
  }
}

std::span<const std::int32_t> GraphArrays::states(std::int64_t example) {
  const std::int64_t begin = arrays_.variable_from[example];
  const std::int64_t count = arrays_.variable_from[example + 1] - begin;
  if (count > INT32_MAX) {
    refuse_call(function_, "example " + std::to_string(example) + " has " + std::to_string(count) +
                               " variables; at most " + std::to_string(INT32_MAX) +
                               " are possible");
  }
  states_.resize(static_cast<std::size_t>(count));
  if (arrays_.states != nullptr) {
    std::copy_n(arrays_.states + begin, count, states_.begin());
  } else {
    std::fill(states_.begin(), states_.end(), arrays_.state_count);
  }
  const auto none = std::find_if(states_.begin(), states_.end(), [](auto n) { return n < 1; });
  if (none == states_.end()) return states_;
  refuse_call(function_, "variable " + std::to_string(none - states_.begin()) + " of example " +
                             std::to_string(example) + " has " + std::to_string(*none) +
                             " states; it must have at least 1" +
                             (arrays_.states == nullptr ? " (state_count)" : ""));
}

void GraphArrays::each_factor(std::int64_t example, const VisitFactor& visit) {
  if (arrays_.factor_from == nullptr) return;
  for (std::int64_t f = arrays_.factor_from[example]; f < arrays_.factor_from[example + 1]; ++f) {
    const auto variables = scope(example, f);
    dimensions_.clear();
    std::int64_t cells = 1;
    for (const std::int32_t v : variables) {
      dimensions_.push_back(states_[static_cast<std::size_t>(v)]);
      // Each of the two numbers is at most 2^31 + 1, so the product does not overflow.
      cells = std::min(cells * dimensions_.back(), most_cells + 1);
    }
    visit(variables, shared_table(example, f, cells, dimensions_), cells);
  }
}

std::span<const std::int32_t> GraphArrays::scope(std::int64_t example, std::int64_t factor) const {
  const bool are_pairs = arrays_.scope_from == nullptr;
  const std::int64_t begin = are_pairs ? 2 * factor : arrays_.scope_from[factor];
  const std::int64_t end = are_pairs ? begin + 2 : arrays_.scope_from[factor + 1];
  const std::span<const std::int32_t> variables(arrays_.scope + begin, arrays_.scope + end);
  if (variables.empty()) refuse_factor(example, factor, "has no variables");
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const std::int32_t v = variables[k];
    if (v < 0 || v >= static_cast<std::int64_t>(states_.size())) {
      refuse_factor(example, factor,
                    "names variable " + std::to_string(v) + "; the example has " +
                        std::to_string(states_.size()) + ", counted from 0 in each example");
    }
    if (std::find(variables.begin(), variables.begin() + static_cast<std::ptrdiff_t>(k), v) !=
        variables.begin() + static_cast<std::ptrdiff_t>(k)) {
      refuse_factor(example, factor, "names variable " + std::to_string(v) + " twice");
    }
  }
  return variables;
}

// Returns the first cell of the shared table of the factor, or -1.
std::int64_t GraphArrays::shared_table(std::int64_t example, std::int64_t factor,
                                       std::int64_t cells,
                                       std::span<const std::int32_t> dimensions) {
  const bool uses_first = arrays_.shared_table == nullptr && arrays_.shared_count == 1;
  const std::int64_t number = arrays_.shared_table != nullptr ? arrays_.shared_table[factor]
                              : uses_first                    ? 0
                                                              : -1;
  if (number == -1) return -1;
  if (number < -1 || number >= arrays_.shared_count) {
    refuse_factor(example, factor,
                  "uses shared table " + std::to_string(number) + "; there are " +
                      std::to_string(arrays_.shared_count));
  }
  const auto k = static_cast<std::size_t>(number);
  if (arrays_.shared_sizes[number] != cells) {
    refuse_factor(example, factor,
                  "needs " + std::to_string(cells) + " cells, but shared table " +
                      std::to_string(number) + " has " +
                      std::to_string(arrays_.shared_sizes[number]));
  }
  std::vector<std::int32_t>& first = shared_dimensions_[k];
  if (first.empty()) first.assign(dimensions.begin(), dimensions.end());
  if (!std::equal(first.begin(), first.end(), dimensions.begin(), dimensions.end())) {
    refuse_factor(example, factor,
                  "uses shared table " + std::to_string(number) +
                      " with other numbers of states than a factor before it");
  }
  return shared_from_[k];
}

void GraphArrays::refuse_factor(std::int64_t example, std::int64_t factor,
                                const std::string& text) const {
  refuse_call(function_, "factor " + std::to_string(factor - arrays_.factor_from[example]) +
                             " of example " + std::to_string(example) + " " + text);
}

}  // namespace sculpt::core
