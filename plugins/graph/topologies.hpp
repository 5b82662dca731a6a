// topologies.hpp - finds examples with the same graph, and the classes of each graph.
//
// Images of one size share a graph. A map_solver may keep what it computed for a graph
// (ext/factor_graph.h, topology). bind() in graph.cpp fills this once, example by example.
#pragma once

#include <sculpt/cpp/edge_list.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

// The edges of an example, a view of the dataset. Without kinds all edges are of kind 0.
struct EdgeView {
  std::int64_t site_count = 0;
  std::span<const std::int32_t> sites;  // two for each edge
  std::span<const std::int32_t> kinds;

  std::size_t count() const { return sites.size() / 2; }
  std::int64_t kind(std::size_t edge) const { return kinds.empty() ? 0 : kinds[edge]; }

  friend bool operator==(const EdgeView& a, const EdgeView& b) {
    return a.site_count == b.site_count &&
           std::equal(a.sites.begin(), a.sites.end(), b.sites.begin(), b.sites.end()) &&
           std::equal(a.kinds.begin(), a.kinds.end(), b.kinds.begin(), b.kinds.end());
  }
};

class Topologies {
 public:
  // Adds the next example. `attractive`: its pair tables are always attractive.
  void add(const EdgeView& edges, bool attractive) {
    std::vector<std::size_t>& same_hash = by_hash_[hash(edges)];
    for (const std::size_t k : same_hash) {
      if (distinct_[k].edges == edges) {
        of_example_.push_back(k);
        return;
      }
    }
    std::uint32_t classes = sculpt::classes_of_edges(edges.site_count, edges.sites);
    if (attractive || edges.count() == 0) classes |= SCULPT_GRAPH_ATTRACTIVE;
    common_ &= classes;
    same_hash.push_back(distinct_.size());
    of_example_.push_back(distinct_.size());
    distinct_.push_back({edges, classes});
  }

  // Returns the topology: equal for equal graphs only, and never 0.
  std::uint64_t number(std::int64_t example) const {
    return of_example_[static_cast<std::size_t>(example)] + 1;
  }
  std::uint32_t classes(std::int64_t example) const {
    return distinct_[of_example_[static_cast<std::size_t>(example)]].classes;
  }
  // Returns the classes common to all examples, or all classes without examples (a model described
  // without data).
  std::uint32_t common_classes() const { return common_; }

 private:
  struct Distinct {
    EdgeView edges;
    std::uint32_t classes;
  };

  // FNV-1a over integers.
  static std::uint64_t hash(const EdgeView& edges) {
    std::uint64_t value = 0xCBF29CE484222325u;
    const auto mix = [&value](std::int64_t number) {
      value = (value ^ static_cast<std::uint64_t>(number)) * 0x100000001B3u;
    };
    mix(edges.site_count);
    for (const std::int32_t site : edges.sites) mix(site);
    for (const std::int32_t kind : edges.kinds) mix(kind);
    return value;
  }

  std::vector<Distinct> distinct_;
  std::vector<std::size_t> of_example_;                        // into distinct_
  std::map<std::uint64_t, std::vector<std::size_t>> by_hash_;  // into distinct_
  std::uint32_t common_ = SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN |
                          SCULPT_GRAPH_ATTRACTIVE | SCULPT_GRAPH_SINGLE;
};
