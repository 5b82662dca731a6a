// sequence_graph.hpp - the factor graph of a sequence: T unary tables, then one shared pair table.
//
// Used by the sessions of chain.
#pragma once

#include <sculpt/cpp/factor_graph_builder.hpp>

inline std::uint32_t sequence_classes(std::int32_t states) {
  return SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE |
         (states == 2 ? std::uint32_t{SCULPT_GRAPH_BINARY} : 0);
}

class SequenceGraph {
 public:
  explicit SequenceGraph(std::int32_t states) : states_(states) {}

  // The graph of `length` positions, until the next call. It depends on nothing else, so the length
  // names the topology.
  const sculpt_factor_graph& of_length(std::int64_t length) {
    if (length != length_) build(length);
    const std::uint32_t single = length == 1 ? std::uint32_t{SCULPT_GRAPH_SINGLE} : 0;
    return builder_.graph(sequence_classes(states_) | single,
                          static_cast<std::uint64_t>(length) + 1);
  }

 private:
  void build(std::int64_t length) {
    length_ = -1;  // stands again once all is built
    builder_.clear();
    for (std::int64_t t = 0; t < length; ++t) builder_.add_variable(states_);
    if (length > 1) {
      const std::int64_t pair_table = builder_.add_table(std::int64_t{states_} * states_);
      for (std::int32_t t = 1; t < length; ++t) builder_.add_factor({t - 1, t}, pair_table);
    }
    length_ = length;
  }

  std::int32_t states_;
  std::int64_t length_ = -1;
  sculpt::FactorGraphBuilder builder_;
};
