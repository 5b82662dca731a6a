// odometer.hpp - enumerates all assignments of a factor graph, with sums over its factors.
//
// The assignments run like an odometer: variable 0 varies fastest. A factor belongs to its first
// variable,
//
//   rest_v = sum of the factors that belong to variables v, v + 1, ...,      rest_0 = score(y)
//
// A step that changes variables 0 .. v computes rest_v, ..., rest_0 again: on average a little more
// than the factors of variable 0. Each is a fresh sum, so rounding does not accumulate. Used by the
// session in enumerate.cpp, for the frontier.
#pragma once

#include <sculpt/cpp/factor_tables.hpp>

#include <vector>

class Odometer {
 public:
  // Starts with all labels 0. Requires a state for every variable. The graph must outlive this
  // object.
  void begin(const sculpt_factor_graph& graph) {
    graph_ = &graph;
    y_.assign(static_cast<std::size_t>(graph.variable_count), 0);
    if (factors_of_.size() < y_.size()) factors_of_.resize(y_.size());
    for (auto& factors : factors_of_) factors.clear();  // keeps their memory
    constants_.clear();
    for (std::int64_t f = 0; f < graph.factor_count; ++f) {
      const auto scope = sculpt::scope_of(graph, f);
      if (scope.empty()) {
        constants_.push_back(f);
        continue;
      }
      const std::int32_t first = *std::min_element(scope.begin(), scope.end());
      factors_of_[static_cast<std::size_t>(first)].push_back(f);
    }
  }

  // Moves to the next assignment. Returns how many variables changed, 0 after the last assignment.
  std::size_t next() {
    for (std::size_t v = 0; v < y_.size(); ++v) {
      if (++y_[v] < graph_->states[v]) return v + 1;
      y_[v] = 0;
    }
    return 0;
  }

  std::span<const std::int32_t> assignment() const { return y_; }

  // Computes rest[v] for the first `changed` variables, from the values in `cells`: theta, or
  // counts. rest[0] is then the sum of this assignment.
  template <class Cell, class Sum>
  void add_up(const Cell* cells, std::size_t changed, std::vector<Sum>& rest) const {
    for (std::size_t v = changed; v-- > 0;) {
      Sum sum = rest[v + 1];
      for (const std::int64_t f : factors_of_[v]) {
        sum += cells[sculpt::factor_cell(*graph_, f, y_.data())];
      }
      rest[v] = sum;
    }
  }
  // The same for all variables, for the first assignment. Factors over no variable are in the last
  // entry.
  template <class Cell, class Sum>
  void add_up_all(const Cell* cells, std::vector<Sum>& rest) const {
    rest.assign(y_.size() + 1, 0);
    for (const std::int64_t f : constants_) rest.back() += cells[graph_->table[f]];
    add_up(cells, y_.size(), rest);
  }

 private:
  const sculpt_factor_graph* graph_ = nullptr;
  // The factors whose first variable is v, [variables or more].
  std::vector<std::vector<std::int64_t>> factors_of_;
  std::vector<std::int64_t> constants_;  // factors over no variable
  std::vector<std::int32_t> y_;          // [variables]
};
