#include "forest_plan.hpp"

#include <sculpt/cpp/error.hpp>
#include <sculpt/cpp/factor_tables.hpp>

namespace {

constexpr std::int32_t unplaced = -1;

}  // namespace

void ForestPlan::build(const sculpt_factor_graph& graph) {
  if (graph.topology != 0 && graph.topology == topology_) return;
  topology_ = 0;  // set again once all is built
  read_factors(graph);
  nodes_.clear();
  reached_by_.clear();
  place_of_.assign(static_cast<std::size_t>(graph.variable_count), unplaced);
  for (std::size_t v = place_of_.size(); v-- > 0;) {
    if (place_of_[v] == unplaced) grow_tree(graph, static_cast<std::int32_t>(v));
  }
  topology_ = graph.topology;
}

// Reads the factors after the unary ones: the pair factors around each variable, the factors over
// it alone, and the others.
void ForestPlan::read_factors(const sculpt_factor_graph& graph) {
  constant_factors_.clear();
  from_.assign(static_cast<std::size_t>(graph.variable_count) + 1, 0);
  small_from_.assign(from_.size(), 0);
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    if (scope.size() > 2) {
      throw sculpt::Error(SCULPT_E_INVALID, "factor " + std::to_string(f) + " joins " +
                                                std::to_string(scope.size()) +
                                                " variables, though the graph says it is pairwise");
    }
    if (scope.empty()) constant_factors_.push_back(f);
    std::vector<std::size_t>& from = scope.size() == 2 ? from_ : small_from_;
    for (const std::int32_t v : scope) ++from[static_cast<std::size_t>(v) + 1];
  }
  place_factors(graph, 2, from_, pairs_);
  place_factors(graph, 1, small_from_, small_factors_);
}

// Makes factors[from[v] .. from[v + 1]) the factors with such scopes around v, in order. Before the
// call, from[v + 1] is their number.
void ForestPlan::place_factors(const sculpt_factor_graph& graph, std::size_t scope_size,
                               std::vector<std::size_t>& from, std::vector<std::int64_t>& factors) {
  for (std::size_t v = 1; v < from.size(); ++v) from[v] += from[v - 1];
  factors.resize(from.back());
  next_.assign(from.begin(), from.end() - 1);
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    if (scope.size() != scope_size) continue;
    for (const std::int32_t v : scope) factors[next_[static_cast<std::size_t>(v)]++] = f;
  }
}

// Adds the component of the root, breadth first. A factor to a variable that has a place already
// closes a cycle, unless it is the factor to its parent.
void ForestPlan::grow_tree(const sculpt_factor_graph& graph, std::int32_t root) {
  std::size_t place = nodes_.size();
  place_of_[static_cast<std::size_t>(root)] = static_cast<std::int32_t>(place);
  nodes_.push_back({root, no_parent, 0, 0, 0});
  reached_by_.push_back(no_factor);
  for (; place < nodes_.size(); ++place) {
    const auto v = static_cast<std::size_t>(nodes_[place].variable);
    for (std::size_t k = from_[v]; k < from_[v + 1]; ++k) {
      const std::int64_t f = pairs_[k];
      if (f == reached_by_[place]) continue;
      const auto scope = sculpt::scope_of(graph, f);
      const bool parent_first = static_cast<std::size_t>(scope[0]) == v;
      const std::int32_t child = scope[parent_first ? 1 : 0];
      std::int32_t& place_of_child = place_of_[static_cast<std::size_t>(child)];
      if (place_of_child != unplaced) {
        throw sculpt::Error(SCULPT_E_INVALID,
                            "factor " + std::to_string(f) +
                                " closes a cycle, though the graph says it is a forest");
      }
      place_of_child = static_cast<std::int32_t>(nodes_.size());
      const std::int64_t first_stride = graph.states[scope[1]];
      nodes_.push_back({child, static_cast<std::int32_t>(place), graph.table[f],
                        parent_first ? 1 : first_stride, parent_first ? first_stride : 1});
      reached_by_.push_back(f);
    }
  }
}
