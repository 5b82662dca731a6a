// Hypergraph (sculpt/program/hypergraph.hpp): what it refuses to store.
#include <doctest/doctest.h>

#include <sculpt/program/best.hpp>
#include <sculpt/program/hypergraph.hpp>

using sculpt::program::Hypergraph;

namespace {

// Two nodes, the second one with an edge from these tails: the value of the goal.
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

}  // namespace

namespace {

// The goal's one edge leads back to it.
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

TEST_CASE("programs: a way down along a tail that is not below its head ends with a refusal") {
  sculpt::program::Best<Loop> best;
  sculpt::program::Derivation<Loop> derivation;
  best.find(Loop());
  CHECK_THROWS_WITH_AS(best.derivation(Loop(), derivation),
                       "the program has an edge into node 1 with the tail 1; tails lie below "
                       "their head",
                       sculpt::Error);
}

TEST_CASE("hypergraph: an edge of more tails than there is room for is refused") {
  CHECK(value_with<2>({0, 0}) == 4);
  CHECK_THROWS_WITH_AS(value_with<1>({0, 0}), "an edge has 2 tails, and this hypergraph room for 1",
                       sculpt::Error);
  CHECK_THROWS_WITH_AS(value_with<2>({0, 0, 0}),
                       "an edge has 3 tails, and this hypergraph room for 2", sculpt::Error);
}

TEST_CASE("hypergraph: a tail that is no node that has ended is refused") {
  CHECK(value_with<1>({0}) == 3);
  CHECK_THROWS_WITH_AS(value_with<1>({1}),
                       "an edge into node 1 has the tail 1; tails are nodes that have ended",
                       sculpt::Error);
  CHECK_THROWS_WITH_AS(value_with<2>({0, -1}),
                       "an edge into node 1 has the tail -1; tails are nodes that have ended",
                       sculpt::Error);
}
