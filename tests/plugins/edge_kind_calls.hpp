// edge_kind_calls.hpp - the edges of a dataset with the extension edge_kinds, as plain values.
//
// Used by the tests of grid and graph.
#pragma once

#include "live_component.hpp"

#include <tuple>

namespace plugin_test {

using KindEdge = std::tuple<std::int32_t, std::int32_t, std::string>;  // from, to, kind

std::vector<KindEdge> edges_of(const LiveComponent& dataset, std::int64_t example);

}  // namespace plugin_test
