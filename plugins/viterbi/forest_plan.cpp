#include "forest_plan.hpp"

#include <sculpt/cpp/error.hpp>
#include <sculpt/cpp/factor_tables.hpp>

namespace {

constexpr std::int32_t no_position = -1;

}  // namespace

void ForestPlan::build(const sculpt_factor_graph& graph) {
  if (graph.topology != 0 && graph.topology == topology_) return;
  topology_ = 0;  // set again once all is built
  read_factors(graph);
  nodes_.clear();
  parent_factor_.clear();
  position_of_.assign(static_cast<std::size_t>(graph.variable_count), no_position);
  for (std::size_t v = position_of_.size(); v-- > 0;) {
    if (position_of_[v] == no_position) grow_tree(graph, static_cast<std::int32_t>(v));
  }
  topology_ = graph.topology;
}

// Reads the factors after the unary ones: the pair factors around each variable, the factors over
// it alone, and the others.
void ForestPlan::read_factors(const sculpt_factor_graph& graph) {
  constant_factors_.clear();
  pair_from_.assign(static_cast<std::size_t>(graph.variable_count) + 1, 0);
  extra_unary_from_.assign(pair_from_.size(), 0);
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    if (scope.size() > 2) {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "factor " + std::to_string(f) + " joins " + std::to_string(scope.size()) +
                              " variables, but the graph is declared as pairwise");
    }
    if (scope.empty()) constant_factors_.push_back(f);
    std::vector<std::size_t>& from = scope.size() == 2 ? pair_from_ : extra_unary_from_;
    for (const std::int32_t v : scope) ++from[static_cast<std::size_t>(v) + 1];
  }
  group_factors(graph, 2, pair_from_, pairs_);
  group_factors(graph, 1, extra_unary_from_, extra_unary_factors_);
}

// Makes factors[from[v] .. from[v + 1]) the factors with such scopes around v, in order. Before the
// call, from[v + 1] is their number.
void ForestPlan::group_factors(const sculpt_factor_graph& graph, std::size_t scope_size,
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

// Adds the component of the root, breadth first. A factor to a variable that has a position already
// closes a cycle, unless it is the factor to its parent.
void ForestPlan::grow_tree(const sculpt_factor_graph& graph, std::int32_t root) {
  std::size_t position = nodes_.size();
  position_of_[static_cast<std::size_t>(root)] = static_cast<std::int32_t>(position);
  nodes_.push_back({root, no_parent, 0, 0, 0});
  parent_factor_.push_back(no_factor);
  for (; position < nodes_.size(); ++position) {
    const auto v = static_cast<std::size_t>(nodes_[position].variable);
    for (std::size_t k = pair_from_[v]; k < pair_from_[v + 1]; ++k) {
      const std::int64_t f = pairs_[k];
      if (f == parent_factor_[position]) continue;
      const auto scope = sculpt::scope_of(graph, f);
      const bool parent_first = static_cast<std::size_t>(scope[0]) == v;
      const std::int32_t child = scope[parent_first ? 1 : 0];
      std::int32_t& position_of_child = position_of_[static_cast<std::size_t>(child)];
      if (position_of_child != no_position) {
        throw sculpt::Error(SCULPT_E_INVALID,
                            "factor " + std::to_string(f) +
                                " closes a cycle, but the graph is declared as a forest");
      }
      position_of_child = static_cast<std::int32_t>(nodes_.size());
      const std::int64_t first_stride = graph.states[scope[1]];
      nodes_.push_back({child, static_cast<std::int32_t>(position), graph.table[f],
                        parent_first ? 1 : first_stride, parent_first ? first_stride : 1});
      parent_factor_.push_back(f);
    }
  }
}
