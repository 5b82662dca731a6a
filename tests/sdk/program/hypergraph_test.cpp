// Hypergraph (sculpt/program/hypergraph.hpp) refuses invalid edges.
#include <doctest/doctest.h>

#include <sculpt/program/best.hpp>
#include <sculpt/program/hypergraph.hpp>

using sculpt::program::Hypergraph;

namespace {

// Returns the value of the goal of two nodes. The second node has one edge from `tails`.
template <std::size_t max_tails>
double value_with(const std::vector<std::int64_t>& tails) {
  Hypergraph<max_tails> graph;
  graph.begin();
  graph.add_edge(0, {});
  graph.end_node();
  graph.add_edge(1, tails);
  graph.end_node();
  graph.prune();
  const std::vector<double> score{1, 2};
  return sculpt::program::Best<typename Hypergraph<max_tails>::Scored>().find(graph.scored(score));
}

// The only edge into the goal has the goal as its tail.
struct Loop {
  using Edge = sculpt::program::Edge<1>;
  std::int64_t node_count() const { return 2; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    if (node == 0) visit(Edge{0, 0, {}, 0});
    if (node == 1) visit(Edge{0, 1, {1}, 1});
  }
};

}  // namespace

TEST_CASE("programs: a derivation is refused if a tail is not below its head") {
  sculpt::program::Best<Loop> best;
  sculpt::program::Derivation<Loop> derivation;
  best.find(Loop());
  CHECK_THROWS_WITH_AS(best.derivation(Loop(), derivation),
                       "the program has an edge into node 1 with the tail 1; the number of a "
                       "tail must be smaller than that of its head",
                       sculpt::Error);
}

TEST_CASE("hypergraph: an edge with too many tails is refused") {
  CHECK(value_with<2>({0, 0}) == 4);
  CHECK_THROWS_WITH_AS(value_with<1>({0, 0}), "an edge has 2 tails, but this hypergraph allows 1",
                       sculpt::Error);
  CHECK_THROWS_WITH_AS(value_with<2>({0, 0, 0}),
                       "an edge has 3 tails, but this hypergraph allows 2", sculpt::Error);
}

TEST_CASE("hypergraph: a tail must be a node that has ended") {
  CHECK(value_with<1>({0}) == 3);
  CHECK_THROWS_WITH_AS(value_with<1>({1}),
                       "an edge into node 1 has the tail 1; tails are nodes that have ended",
                       sculpt::Error);
  CHECK_THROWS_WITH_AS(value_with<2>({0, -1}),
                       "an edge into node 1 has the tail -1; tails are nodes that have ended",
                       sculpt::Error);
}
