#include "problem/components/factor_graph_check.hpp"

#include <algorithm>
#include <vector>

namespace sculpt::core {

namespace {

// Limit of the cells of one theta: 16 GiB.
constexpr std::int64_t max_theta_size = std::int64_t{1} << 31;

// Returns what is wrong with the counts and arrays of the graph, or "".
std::string counts_fault(const sculpt_factor_graph& graph) {
  const bool is_valid =
      graph.variable_count >= 0 && graph.variable_count <= INT32_MAX &&
      graph.factor_count >= graph.variable_count && graph.theta_size >= 0 &&
      graph.theta_size <= max_theta_size &&
      (graph.variable_count == 0 || graph.states != nullptr) &&
      (graph.factor_count == 0 || (graph.scope_from != nullptr && graph.table != nullptr));
  if (is_valid) return "";
  return "gives a factor graph of " + std::to_string(graph.variable_count) + " variables, " +
         std::to_string(graph.factor_count) + " factors and " + std::to_string(graph.theta_size) +
         " table cells, or without its arrays";
}

// Stores for each variable the last factor that named it, to find repetitions.
class ScopeCheck {
 public:
  explicit ScopeCheck(const sculpt_factor_graph& graph)
      : graph_(graph), last_factor_(static_cast<std::size_t>(graph.variable_count), -1) {}

  // Returns what is wrong with factor f, or "". Requires that the factors before it are valid.
  std::string fault(std::int64_t f) {
    const std::int64_t begin = graph_.scope_from[f];
    const std::int64_t end = graph_.scope_from[f + 1];
    if (begin < 0 || end < begin || (end > begin && graph_.scope == nullptr)) {
      return "has the scope [" + std::to_string(begin) + ", " + std::to_string(end) + ")";
    }
    std::int64_t cells = 1;
    for (std::int64_t s = begin; s < end; ++s) {
      const std::int32_t variable = graph_.scope[s];
      if (variable < 0 || variable >= graph_.variable_count) {
        return "names variable " + std::to_string(variable) + " of " +
               std::to_string(graph_.variable_count);
      }
      std::int64_t& last = last_factor_[static_cast<std::size_t>(variable)];
      if (last == f) return "names variable " + std::to_string(variable) + " twice";
      last = f;
      // Each of the two numbers is at most 2^31 + 1, so the product does not overflow.
      cells = std::min(cells * graph_.states[variable], max_theta_size + 1);
    }
    if (f < graph_.variable_count && (end - begin != 1 || graph_.scope[begin] != f)) {
      return "is not the unary factor of variable " + std::to_string(f);
    }
    const std::int64_t table = graph_.table[f];
    if (table < 0 || cells > graph_.theta_size || table > graph_.theta_size - cells) {
      return "has " + std::to_string(cells) + " cells from " + std::to_string(table) + " on, of " +
             std::to_string(graph_.theta_size);
    }
    return "";
  }

 private:
  const sculpt_factor_graph& graph_;
  std::vector<std::int64_t> last_factor_;  // [variable_count] that names the variable; -1: none
};

}  // namespace

std::string factor_graph_fault(const sculpt_factor_graph& graph) {
  if (std::string fault = counts_fault(graph); !fault.empty()) return fault;
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    if (graph.states[v] < 0) {
      return "variable " + std::to_string(v) + " of its factor graph has " +
             std::to_string(graph.states[v]) + " states";
    }
  }
  ScopeCheck scopes(graph);
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const std::string fault = scopes.fault(f);
    if (!fault.empty()) return "factor " + std::to_string(f) + " of its factor graph " + fault;
  }
  return "";
}

}  // namespace sculpt::core
