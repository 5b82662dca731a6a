#include "edge_kind_calls.hpp"

#include <sculpt/ext/draft/edge_kinds.h>

#include "call_buffers.hpp"

namespace plugin_test {

std::vector<KindEdge> edges_of(const LiveComponent& dataset, std::int64_t example) {
  const auto& table = dataset.extension<sculpt_ext_edge_kinds>(SCULPT_EXT_EDGE_KINDS);
  const sculpt_sites sites = sites_of(dataset, example);
  const std::int32_t* kinds = nullptr;
  ErrorText error;
  error.check(table.kinds(dataset.self(), example, &kinds, error.raw()));
  std::vector<KindEdge> edges;
  for (std::int64_t e = 0; e < sites.edge_count; ++e) {
    ByteBuffer name;
    error.check(table.name(dataset.self(), kinds[e], &name, error.raw()));
    edges.emplace_back(sites.edge[2 * e], sites.edge[2 * e + 1], name.text());
  }
  return edges;
}

}  // namespace plugin_test
