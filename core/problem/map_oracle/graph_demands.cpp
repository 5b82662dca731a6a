#include "problem/map_oracle/graph_demands.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sculpt::core {

namespace {

constexpr std::array<std::pair<std::uint32_t, const char*>, 7> class_names = {
    {{SCULPT_GRAPH_PAIRWISE, "pairwise"},
     {SCULPT_GRAPH_FOREST, "forest"},
     {SCULPT_GRAPH_CHAIN, "chain"},
     {SCULPT_GRAPH_ORDER_TWO, "order-two"},
     {SCULPT_GRAPH_BINARY, "binary"},
     {SCULPT_GRAPH_ATTRACTIVE, "attractive"},
     {SCULPT_GRAPH_SINGLE, "single"}}};
// Protects the copy from a count that the plugin did not set.
constexpr std::int64_t max_alternatives = 1000;

}  // namespace

std::string graph_class_names(std::uint32_t classes) {
  std::string names;
  for (const auto& [bit, name] : class_names) {
    if ((classes & bit) != 0) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names.empty() ? "no class" : names;
}

bool has_classes(std::uint32_t classes, std::uint32_t demands) {
  if ((classes & SCULPT_GRAPH_CHAIN) != 0) classes |= SCULPT_GRAPH_ORDER_TWO;
  return (demands & ~classes) == 0;
}

bool GraphDemands::is_met_by(std::uint32_t classes) const {
  return std::any_of(alternatives.begin(), alternatives.end(),
                     [classes](std::uint32_t demands) { return has_classes(classes, demands); });
}

std::string GraphDemands::text() const {
  std::string text;
  for (const std::uint32_t demands : alternatives) {
    text += (text.empty() ? "" : " or ") + graph_class_names(demands) + " graphs";
  }
  return text;
}

GraphDemands solver_demands(const Component& map_solver) {
  const std::uint32_t* sets = nullptr;
  std::int64_t count = 0;
  map_solver.call("demands", -1, [&](sculpt_error* error) {
    return map_solver.api<sculpt_map_solver_api>().demands(map_solver.self(), &sets, &count, error);
  });
  if (sets == nullptr || count < 1 || count > max_alternatives) {
    map_solver.refuse(Exit::plugin, -1,
                      "demands " + std::to_string(count) +
                          " sets of graph classes; it must demand from 1 to " +
                          std::to_string(max_alternatives) + ", and the set 0 accepts every graph");
  }
  return {std::vector<std::uint32_t>(sets, sets + count)};
}

std::uint32_t solver_frontier_demands(const Component& map_solver) {
  const auto& api = map_solver.api<sculpt_map_solver_api>();
  std::uint32_t demands = 0;
  if (api.frontier_demands == nullptr) return demands;
  map_solver.call("frontier_demands", -1, [&](sculpt_error* error) {
    return api.frontier_demands(map_solver.self(), &demands, error);
  });
  return demands;
}

}  // namespace sculpt::core
