#include "problem/map_oracle/graph_demands.hpp"

#include <sculpt/ext/draft/map_demands.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_map_demands> {
  static constexpr const char* id = SCULPT_EXT_MAP_DEMANDS;
  static constexpr std::size_t required_functions = 2;
};

namespace {

constexpr std::array<std::pair<std::uint32_t, const char*>, 7> class_names = {
    {{SCULPT_GRAPH_PAIRWISE, "pairwise"},
     {SCULPT_GRAPH_FOREST, "forest"},
     {SCULPT_GRAPH_CHAIN, "chain"},
     {SCULPT_GRAPH_ORDER_TWO, "order-two"},
     {SCULPT_GRAPH_BINARY, "binary"},
     {SCULPT_GRAPH_ATTRACTIVE, "attractive"},
     {SCULPT_GRAPH_SINGLE, "single"}}};

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
  const auto* const table = map_solver.extension<sculpt_ext_map_demands>();
  GraphDemands demands;
  if (table == nullptr) {
    map_solver.call("demands", -1, [&](sculpt_error* error) {
      return map_solver.api<sculpt_map_solver_api>().demands(map_solver.self(),
                                                             &demands.alternatives.front(), error);
    });
    return demands;
  }
  const std::uint32_t* alternatives = nullptr;
  std::int64_t count = 0;
  map_solver.call("map-demands.alternatives", -1, [&](sculpt_error* error) {
    return table->alternatives(map_solver.self(), &alternatives, &count, error);
  });
  if (alternatives == nullptr || count < 1) {
    map_solver.refuse(Exit::plugin, -1, "offers no alternative in its map-demands");
  }
  demands.alternatives.assign(alternatives, alternatives + count);
  return demands;
}

std::uint32_t solver_frontier_demands(const Component& map_solver) {
  const auto* const table = map_solver.extension<sculpt_ext_map_demands>();
  std::uint32_t demands = 0;
  if (table == nullptr) return demands;
  map_solver.call("map-demands.frontier", -1, [&](sculpt_error* error) {
    return table->frontier(map_solver.self(), &demands, error);
  });
  return demands;
}

}  // namespace sculpt::core
