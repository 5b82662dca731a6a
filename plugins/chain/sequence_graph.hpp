// sequence_graph.hpp - the factor graph of a sequence: T unary tables, then one shared pair table.
// With order two, one shared triple table follows.
//
// Used by chain.cpp: by its sessions, and for its factor classes.
#pragma once

#include <sculpt/cpp/factor_graph_builder.hpp>

// Returns the classes of sequences of this order and at most this length. Without a triple, a
// sequence of order two is a chain. Without a pair, it is attractive.
inline std::uint32_t sequence_classes(std::int32_t states, int order, std::int64_t max_length) {
  constexpr std::uint32_t chain = SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE;
  return (order == 1 ? 0 : std::uint32_t{SCULPT_GRAPH_ORDER_TWO}) |
         (order == 1 || max_length < 3 ? chain : 0) |
         (max_length < 2 ? std::uint32_t{SCULPT_GRAPH_ATTRACTIVE} : 0) |
         (states == 2 ? std::uint32_t{SCULPT_GRAPH_BINARY} : 0);
}

class SequenceGraph {
 public:
  SequenceGraph(std::int32_t states, int order) : states_(states), order_(order) {}

  // Returns the graph of `length` positions, valid until the next call. The length alone determines
  // the graph, so it is the topology.
  const sculpt_factor_graph& of_length(std::int64_t length) {
    if (length != length_) build(length);
    const std::uint32_t single = length == 1 ? std::uint32_t{SCULPT_GRAPH_SINGLE} : 0;
    return builder_.graph(sequence_classes(states_, order_, length) | single,
                          static_cast<std::uint64_t>(length) + 1);
  }

 private:
  void build(std::int64_t length) {
    length_ = -1;  // set again once all is built
    builder_.clear();
    for (std::int64_t t = 0; t < length; ++t) builder_.add_variable(states_);
    const std::int64_t pairs = std::int64_t{states_} * states_;
    if (length > 1) {
      const std::int64_t pair_table = builder_.add_table(pairs);
      for (std::int32_t t = 1; t < length; ++t) builder_.add_factor({t - 1, t}, pair_table);
    }
    if (order_ == 2 && length > 2) {
      const std::int64_t triple_table = builder_.add_table(pairs * states_);
      for (std::int32_t t = 2; t < length; ++t)
        builder_.add_factor({t - 2, t - 1, t}, triple_table);
    }
    length_ = length;
  }

  std::int32_t states_;
  int order_;
  std::int64_t length_ = -1;
  sculpt::FactorGraphBuilder builder_;
};
