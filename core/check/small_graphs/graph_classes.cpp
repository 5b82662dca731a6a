#include "check/small_graphs/graph_classes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/text/message_text.hpp"
#include "problem/map_oracle/graph_demands.hpp"

namespace sculpt::core {
namespace {

// Tolerance for a reward below 0, relative to its cells. graph_cut uses the same value.
constexpr double rounding = 1e-12;

using Scope = std::vector<std::int32_t>;

Scope scope_of(const sculpt_factor_graph& graph, std::int64_t factor) {
  return {graph.scope + graph.scope_from[factor], graph.scope + graph.scope_from[factor + 1]};
}

std::string scope_text(const Scope& scope) {
  std::vector<std::string> words;
  for (const std::int32_t v : scope) words.push_back(std::to_string(v));
  return joined(words, ", ");
}

bool joins_neighbours(const Scope& scope) {
  for (std::size_t k = 1; k < scope.size(); ++k) {
    if (scope[k] != scope[k - 1] + 1) return false;
  }
  return true;
}

// Takes the scopes of all factors over two or more variables, one after the other. Returns the
// classes that each one contradicts.
class ScopeChecker {
 public:
  explicit ScopeChecker(const sculpt_factor_graph& graph)
      : parents_(static_cast<std::size_t>(graph.variable_count)) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }

  std::uint32_t broken_by(const Scope& scope) {
    const bool seen_in_order = !in_order_.insert(scope).second;
    const bool pair = scope.size() == 2;
    std::uint32_t broken = 0;
    if (!pair) broken |= SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN;
    if (pair && closes_cycle(scope)) broken |= SCULPT_GRAPH_FOREST;
    if (seen_in_order || !joins_neighbours(scope)) {
      broken |= SCULPT_GRAPH_CHAIN | std::uint32_t{SCULPT_GRAPH_ORDER_TWO};
    }
    if (scope.size() > 3) broken |= SCULPT_GRAPH_ORDER_TWO;
    return broken;
  }

 private:
  // Two factors over the same pair form no cycle.
  bool closes_cycle(const Scope& pair) {
    if (!pairs_.insert(std::minmax(pair[0], pair[1])).second) return false;
    const std::int32_t a = root(pair[0]);
    const std::int32_t b = root(pair[1]);
    parents_[static_cast<std::size_t>(a)] = b;
    return a == b;
  }
  std::int32_t root(std::int32_t v) {
    while (parents_[static_cast<std::size_t>(v)] != v) {
      std::int32_t& parent = parents_[static_cast<std::size_t>(v)];
      parent = parents_[static_cast<std::size_t>(parent)];
      v = parent;
    }
    return v;
  }

  std::set<Scope> in_order_;
  std::set<std::pair<std::int32_t, std::int32_t>> pairs_;
  std::vector<std::int32_t> parents_;  // [variables] union-find: the parent; a root has itself
};

}  // namespace

std::string graph_class_fault(const sculpt_factor_graph& graph) {
  if ((graph.classes & SCULPT_GRAPH_SINGLE) != 0 && graph.variable_count != 1) {
    return "single: there are " + std::to_string(graph.variable_count) + " variables";
  }
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    if ((graph.classes & SCULPT_GRAPH_BINARY) == 0 || graph.states[v] == 2) continue;
    return "binary: variable " + std::to_string(v) + " has " + std::to_string(graph.states[v]) +
           " states";
  }
  ScopeChecker checker(graph);
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const Scope scope = scope_of(graph, f);
    if (scope.size() < 2) continue;
    const std::uint32_t broken = checker.broken_by(scope) & graph.classes;
    if (broken == 0) continue;
    return graph_class_names(broken) + ": factor " + std::to_string(f) + " joins the variables " +
           scope_text(scope);
  }
  return "";
}

std::string attractive_fault(const sculpt_factor_graph& graph, std::span<const double> theta) {
  struct Sum {
    double reward = 0;  // theta(k, k) + theta(l, l) - theta(k, l) - theta(l, k), all tables
    double magnitude = 0;
  };
  std::map<Scope, Sum> sums;  // by {u, v, k, l} with u < v and k < l
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const Scope scope = scope_of(graph, f);
    if (scope.size() != 2) continue;
    const std::int64_t columns = graph.states[scope[1]];
    const auto cell = [&](std::int64_t k, std::int64_t l) {
      return theta[static_cast<std::size_t>(graph.table[f] + k * columns + l)];
    };
    const std::int32_t common_states = std::min(graph.states[scope[0]], graph.states[scope[1]]);
    const auto [u, v] = std::minmax(scope[0], scope[1]);
    for (std::int32_t l = 1; l < common_states; ++l) {
      for (std::int32_t k = 0; k < l; ++k) {
        Sum& sum = sums[{u, v, k, l}];
        sum.reward += cell(k, k) + cell(l, l) - cell(k, l) - cell(l, k);
        sum.magnitude += std::abs(cell(k, k)) + std::abs(cell(l, l)) + std::abs(cell(k, l)) +
                         std::abs(cell(l, k));
      }
    }
  }
  for (const auto& [key, sum] : sums) {
    if (sum.reward >= -rounding * sum.magnitude) continue;
    return "the variables " + std::to_string(key[0]) + " and " + std::to_string(key[1]) +
           " are rewarded for labels " + std::to_string(key[2]) + " and " + std::to_string(key[3]) +
           " that differ, by " + exact_number_text(-sum.reward);
  }
  return "";
}

}  // namespace sculpt::core
