// Best finds the same in programs with rows (sculpt/program/program.hpp) as in the same programs
// without rows.
#include <doctest/doctest.h>

#include <sculpt/program/best.hpp>
#include <sculpt/program/watched.hpp>

#include "../../../plugins/viterbi/forest_program.hpp"
#include "../../plugins/random_graphs.hpp"
#include "random_rows.hpp"

using sculpt::program::Best;
using sculpt::program::underivable;
using sculpt::program::Watched;
using sculpt::test::RandomRows;

namespace {

// The same program without its rows.
template <class P>
struct WithoutRows {
  using Edge = typename P::Edge;
  std::int64_t node_count() const { return program.node_count(); }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    program.each_edge(node, visit);
  }
  const P& program;
};

// A row of one edge into the goal. Edges have a further member, which rows do not have.
struct FurtherMember {
  struct Edge : sculpt::program::Edge<1> {
    int length = 0;
  };
  std::int64_t node_count() const { return 2; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    visit(node == 0 ? Edge{{}, 3} : Edge{{score, 0, {0}, 1}, 4});
  }
  sculpt::program::Rows rows(std::int64_t node) const {
    if (node == 0) return {};
    return {
        .first = 1, .nodes = 1, .tails = 1, .score = &score, .edge_stride = 1, .node_stride = 1};
  }
  double score = 0.5;
};

static_assert(sculpt::program::HasRows<FurtherMember>);
static_assert(sculpt::program::HasRows<RandomRows>);
static_assert(sculpt::program::HasRows<ForestProgram>);
static_assert(sculpt::program::HasRows<Watched<ForestProgram>>);
static_assert(!sculpt::program::HasRows<WithoutRows<ForestProgram>>);

template <class Edge>
bool same(const Edge& a, const Edge& b) {
  return a.score == b.score && a.name == b.name && a.tail_count == b.tail_count &&
         std::equal(a.tails().begin(), a.tails().end(), b.tails().begin());
}

// Checks that values and edges are the same with and without rows, to the last bit. Returns the
// value.
template <class P>
double check_same(const P& program) {
  const WithoutRows<P> plain{program};
  const sculpt::Host host(nullptr);
  const Watched<P> watched(program, host);
  Best<Watched<P>> best;
  Best<WithoutRows<P>> expected;
  const double value = best.find(watched);
  REQUIRE(value == expected.find(plain));
  REQUIRE(best.values() == expected.values());
  if (value == underivable) return value;
  sculpt::program::Derivation<P> one, other;
  best.derivation(watched, one);
  expected.derivation(plain, other);
  REQUIRE(one.size() == other.size());
  for (std::size_t k = 0; k < one.size(); ++k) REQUIRE(same(one[k], other[k]));
  return value;
}

}  // namespace

TEST_CASE("programs: rows do not change the best derivation of random programs") {
  std::mt19937 random(71);
  int derivable = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    if (check_same(RandomRows(random, trial % 2 == 0)) != underivable) ++derivable;
  }
  CHECK(derivable > 3000);
}

TEST_CASE("programs: the best derivation has the further members of edges") {
  const FurtherMember program;
  Best<FurtherMember> best;
  REQUIRE(best.find(program) == 0.5);
  sculpt::program::Derivation<FurtherMember> found;
  best.derivation(program, found);
  REQUIRE(found.size() == 2);
  CHECK(found[0].length == 4);
  CHECK(found[1].length == 3);
}

TEST_CASE("programs: rows do not change the best assignment of a forest") {
  plugin_test::Random random(73);
  for (int trial = 0; trial < 1500; ++trial) {
    plugin_test::RandomGraph drawn =
        trial % 3 == 0 ? plugin_test::random_chain(random, plugin_test::draw(random, 1, 5),
                                                   trial % 2 == 0, trial % 4 == 0)
                       : plugin_test::random_forest(random, plugin_test::draw(random, 1, 6));
    const sculpt_factor_graph& graph = drawn.graph();
    const auto size = static_cast<std::size_t>(graph.theta_size);
    const std::vector<double> theta = trial % 5 < 2 ? plugin_test::small_integers(random, size)
                                                    : plugin_test::normal_vector(random, size);
    ForestProgram program;
    program.build(graph);
    program.score(graph, theta.data());
    const double value = check_same(program) + program.constant();
    REQUIRE(value == doctest::Approx(plugin_test::naive_best(graph, theta).value).epsilon(1e-12));
  }
}
