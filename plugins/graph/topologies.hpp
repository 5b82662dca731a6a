// topologies.hpp - which examples have the same graph, and of which classes it is.
//
// Images of one size share a graph, and a map_solver may keep what it worked out about it
// (ext/factor_graph.h, topology). Filled once by the features graph, example by example.
#pragma once

#include <sculpt/cpp/edge_list.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

// The edges of an example, lent by the dataset. Without kinds all are of kind 0.
struct EdgeView {
  std::int64_t site_count = 0;
  std::span<const std::int32_t> sites;  // two an edge
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
  // The next example. `attract`: its pair tables always reward agreement.
  void add(const EdgeView& edges, bool attract) {
    std::vector<std::size_t>& alike = by_hash_[hash(edges)];
    for (const std::size_t k : alike) {
      if (distinct_[k].edges == edges) {
        of_example_.push_back(k);
        return;
      }
    }
    std::uint32_t classes = sculpt::classes_of_edges(edges.site_count, edges.sites);
    if (attract || edges.count() == 0) classes |= SCULPT_GRAPH_ATTRACTIVE;
    common_ &= classes;
    alike.push_back(distinct_.size());
    of_example_.push_back(distinct_.size());
    distinct_.push_back({edges, classes});
  }

  // Equal for equal graphs alone; not 0.
  std::uint64_t number(std::int64_t example) const {
    return of_example_[static_cast<std::size_t>(example)] + 1;
  }
  std::uint32_t classes(std::int64_t example) const {
    return distinct_[of_example_[static_cast<std::size_t>(example)]].classes;
  }
  // Of all examples; every class where there is none, as when a model is described without data.
  std::uint32_t common_classes() const { return common_; }

 private:
  struct Distinct {
    EdgeView edges;
    std::uint32_t classes;
  };

  // FNV-1a over whole numbers.
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
