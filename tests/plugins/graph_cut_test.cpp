// graph_cut agrees with the naive search, and its minimum cut with the maximum flow of Boost.
#include <doctest/doctest.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edmonds_karp_max_flow.hpp>
#include <sculpt/cpp/minimum_cut.hpp>

#include "live_component.hpp"
#include "random_pairs.hpp"

using namespace plugin_test;
using doctest::Approx;

namespace {

// Among the best assignments, the one with the fewest labels 1.
Outputs best_with_fewest_ones(const sculpt_factor_graph& graph, const std::vector<double>& theta) {
  const double maximum = naive_best(graph, theta).value;
  Outputs least;
  each_output(graph, [&](const Outputs& y) {
    if (naive_score(graph, theta, y) != maximum) return;
    const auto ones = [](const Outputs& z) { return std::count(z.begin(), z.end(), 1); };
    if (least.empty() || ones(y) < ones(least)) least = y;
  });
  return least;
}

void check_graphs(const PairsShape& shape) {
  Random random(23);
  const LiveComponent solver("graph_cut");
  for (int trial = 0; trial < 1500; ++trial) {
    RandomGraph pairs = random_pairs(random, shape);
    const sculpt_factor_graph& graph = pairs.graph();
    std::vector<double> theta = normal_vector(random, cells(graph));
    make_attractive(graph, theta);
    const NaiveBest best = naive_best(graph, theta);
    Solution found = solve(solver, graph, theta);
    REQUIRE(found.flags == SCULPT_ANSWER_EXACT);
    REQUIRE(found.value == Approx(best.value).epsilon(1e-12));
    REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
    // whole numbers have exact sums, so ties are exact
    theta = small_integers(random, cells(graph));
    make_attractive(graph, theta);
    found = solve(solver, graph, theta);
    REQUIRE(found.value == naive_best(graph, theta).value);
    REQUIRE(found.output == best_with_fewest_ones(graph, theta));
  }
}

struct Network {
  struct Arcs {
    std::int32_t from, to;
    double forward, backward;
  };
  std::vector<std::pair<double, double>> terminals;
  std::vector<Arcs> arcs;
};

Network random_network(Random& random, bool whole) {
  const auto capacity = [&]() -> double {
    if (whole) return draw(random, 0, 3);
    return std::max(0.0, std::normal_distribution<double>(0.5)(random));
  };
  Network network;
  const std::int32_t nodes = draw(random, 1, 60);
  for (std::int32_t v = 0; v < nodes; ++v) {
    network.terminals.emplace_back(capacity(), capacity());
  }
  const std::int32_t arcs = draw(random, 0, 5 * nodes);
  for (std::int32_t k = 0; k < arcs; ++k) {
    const std::int32_t from = draw(random, 0, nodes - 1);
    const std::int32_t to = draw(random, 0, nodes - 1);
    if (from != to) network.arcs.push_back({from, to, capacity(), capacity()});
  }
  return network;
}

double flow_by_boost(const Network& network) {
  using namespace boost;
  using Traits = adjacency_list_traits<vecS, vecS, directedS>;
  struct Edge {
    double capacity = 0;
    double rest = 0;
    Traits::edge_descriptor reverse;
  };
  struct Vertex {
    default_color_type color;
    Traits::edge_descriptor predecessor;
  };
  using Graph = adjacency_list<vecS, vecS, directedS, Vertex, Edge>;
  const std::size_t nodes = network.terminals.size();
  Graph graph(nodes + 2);
  const auto join = [&](std::size_t from, std::size_t to, double forward, double backward) {
    const auto one = add_edge(from, to, graph).first;
    const auto other = add_edge(to, from, graph).first;
    graph[one] = {forward, 0, other};
    graph[other] = {backward, 0, one};
  };
  for (std::size_t v = 0; v < nodes; ++v) {
    join(nodes, v, network.terminals[v].first, 0);
    join(v, nodes + 1, network.terminals[v].second, 0);
  }
  for (const auto& arc : network.arcs) {
    join(static_cast<std::size_t>(arc.from), static_cast<std::size_t>(arc.to), arc.forward,
         arc.backward);
  }
  return edmonds_karp_max_flow(graph, nodes, nodes + 1,
                               capacity_map(get(&Edge::capacity, graph))
                                   .residual_capacity_map(get(&Edge::rest, graph))
                                   .reverse_edge_map(get(&Edge::reverse, graph))
                                   .color_map(get(&Vertex::color, graph))
                                   .predecessor_map(get(&Vertex::predecessor, graph)));
}

double solve_cut(const Network& network, sculpt::MinimumCut& cut) {
  cut.reset(static_cast<std::int64_t>(network.terminals.size()));
  for (const auto& arc : network.arcs) cut.add_arcs(arc.from, arc.to, arc.forward, arc.backward);
  for (std::size_t v = 0; v < network.terminals.size(); ++v) {
    const auto& [source, sink] = network.terminals[v];
    cut.add_terminals(static_cast<std::int32_t>(v), source, sink);
  }
  return cut.solve([] {});
}

// The capacity of the cut between the nodes with inside(node) and the others.
template <class Inside>
double capacity_of(const Network& network, Inside inside) {
  double capacity = 0;
  for (std::size_t v = 0; v < network.terminals.size(); ++v) {
    const auto& [source, sink] = network.terminals[v];
    capacity += inside(static_cast<std::int32_t>(v)) ? sink : source;
  }
  for (const auto& arc : network.arcs) {
    if (inside(arc.from) && !inside(arc.to)) capacity += arc.forward;
    if (inside(arc.to) && !inside(arc.from)) capacity += arc.backward;
  }
  return capacity;
}

}  // namespace

TEST_CASE("graph_cut finds the best assignment of attractive graphs, also with ties") {
  check_graphs({});
}
TEST_CASE("graph_cut finds the best assignment if pairs share tables") {
  check_graphs({8, 16, true, false});
}
TEST_CASE("graph_cut finds the best assignment if a pair has several tables") {
  check_graphs({5, 16, false, true});
}
TEST_CASE("graph_cut finds the best assignment of graphs without pairs") {
  check_graphs({8, 0, false, false});
}

TEST_CASE("the minimum cut of a random network equals the maximum flow of Boost") {
  Random random(29);
  sculpt::MinimumCut cut;
  for (int trial = 0; trial < 1500; ++trial) {
    const bool whole = trial % 2 == 0;
    const Network network = random_network(random, whole);
    const double flow = solve_cut(network, cut);
    REQUIRE(flow == Approx(flow_by_boost(network)).epsilon(1e-12));
    // the smallest and the largest minimum cut have the capacity of the flow
    const double small = capacity_of(network, [&](auto v) { return cut.with_source(v); });
    const double large = capacity_of(network, [&](auto v) { return !cut.with_sink(v); });
    REQUIRE(small == Approx(flow).epsilon(1e-12));
    REQUIRE(large == Approx(flow).epsilon(1e-12));
  }
}

TEST_CASE("with_source and with_sink name the nodes that are on this side in every minimum cut") {
  Random random(31);
  sculpt::MinimumCut cut;
  for (int trial = 0; trial < 300; ++trial) {
    Network network = random_network(random, true);
    const std::size_t nodes = std::min<std::size_t>(8, network.terminals.size());
    network.terminals.resize(nodes);
    std::erase_if(network.arcs, [&](const Network::Arcs& arc) {
      return std::max(arc.from, arc.to) >= static_cast<std::int32_t>(nodes);
    });
    const double flow = solve_cut(network, cut);
    unsigned in_all = ~0u;
    unsigned in_some = 0;
    for (unsigned set = 0; set < 1u << nodes; ++set) {
      if (capacity_of(network, [&](auto v) { return (set >> v & 1) != 0; }) != flow) continue;
      in_all &= set;
      in_some |= set;
    }
    for (std::size_t v = 0; v < nodes; ++v) {
      REQUIRE(cut.with_source(static_cast<std::int32_t>(v)) == ((in_all >> v & 1) != 0));
      REQUIRE(cut.with_sink(static_cast<std::int32_t>(v)) == ((in_some >> v & 1) == 0));
    }
  }
}

TEST_CASE("the score of the cut of an image is the score of its labels") {
  Random random(37);
  const std::int32_t side = 24;
  sculpt::FactorGraphBuilder builder;
  for (std::int32_t v = 0; v < side * side; ++v) builder.add_variable(2);
  const std::int64_t pair = builder.add_table(4);
  Network network;
  for (std::int32_t v = 0; v < side * side; ++v) {
    for (const std::int32_t other : {v + 1, v + side}) {
      if (other >= side * side || (other == v + 1 && other % side == 0)) continue;
      builder.add_factor({v, other}, pair);
      network.arcs.push_back({v, other, 0.5, 0.5});
    }
  }
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_BINARY, 1);
  std::vector<double> theta = normal_vector(random, cells(graph));
  double base = 0;
  for (std::int32_t v = 0; v < side * side; ++v) {
    double* const unary = theta.data() + graph.table[v];
    base += std::max(unary[0], unary[1]);
    network.terminals.emplace_back(std::max(0.0, unary[1] - unary[0]),
                                   std::max(0.0, unary[0] - unary[1]));
  }
  std::fill(theta.begin() + pair, theta.end(), 0.0);
  theta[static_cast<std::size_t>(pair) + 1] = theta[static_cast<std::size_t>(pair) + 2] = -0.5;
  const Solution found = solve(LiveComponent("graph_cut"), graph, theta);
  CHECK(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
  CHECK(found.value == Approx(base - flow_by_boost(network)).epsilon(1e-12));
}

TEST_CASE("graph_cut demands binary pairwise graphs and, unless it checks, attractive ones") {
  const std::uint32_t both = SCULPT_GRAPH_BINARY | std::uint32_t{SCULPT_GRAPH_PAIRWISE};
  CHECK(solver_demands(LiveComponent("graph_cut")) == std::vector{both | SCULPT_GRAPH_ATTRACTIVE});
  CHECK(solver_demands(LiveComponent("graph_cut", {{"attractive", "checked"}})) ==
        std::vector{both});
}

TEST_CASE("graph_cut refuses a table that is not attractive, with its variables and a remedy") {
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  builder.add_factor({0, 2}, builder.add_table(4));
  builder.add_factor({2, 1}, builder.add_table(4));
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_BINARY, 0);
  const std::vector<double> theta = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0.5, 0.4, 0};
  CHECK_THROWS_WITH(solve(LiveComponent("graph_cut", {{"attractive", "checked"}}), graph, theta),
                    "the pair of the variables 1 and 2 is not attractive: theta(0,0) + theta(1,1) "
                    "is below theta(0,1) + theta(1,0); set the parameter 'nonnegative' of the "
                    "features for their pair weights, or use another map_solver (lp, "
                    "branch_and_bound)");
  CHECK_THROWS_WITH(solve(LiveComponent("graph_cut"), graph, theta),
                    "the pair of the variables 1 and 2 is not attractive: theta(0,0) + theta(1,1) "
                    "is below theta(0,1) + theta(1,0); correct the features, which promise "
                    "attractive pairs, or use another map_solver (lp, branch_and_bound)");
}

TEST_CASE("graph_cut accepts a table that is attractive up to rounding") {
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 2; ++v) builder.add_variable(2);
  builder.add_factor({0, 1}, builder.add_table(4));
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_BINARY, 0);
  const Solution found =
      solve(LiveComponent("graph_cut"), graph, {0, 1, 0, 1, 0.1 + 0.2, 0.3, 0.6, 0.6 - 1e-15});
  CHECK(found.output == Outputs{1, 1});
}

TEST_CASE("graph_cut refuses more than two states, scopes beyond pairs and infinite scores") {
  const LiveComponent solver("graph_cut");
  sculpt::FactorGraphBuilder states;
  states.add_variable(2);
  states.add_variable(3);
  CHECK_THROWS_WITH(solve(solver, states.graph(0, 0), std::vector<double>(5)),
                    "variable 1 has 3 states; graph_cut needs two: use lp or branch_and_bound");
  sculpt::FactorGraphBuilder scopes;
  for (int v = 0; v < 3; ++v) scopes.add_variable(2);
  scopes.add_factor({0, 1, 2}, scopes.add_table(8));
  CHECK_THROWS_WITH(solve(solver, scopes.graph(0, 0), std::vector<double>(14)),
                    "a factor is over 3 variables; graph_cut needs pairs: use lp or "
                    "branch_and_bound");
  sculpt::FactorGraphBuilder one;
  one.add_variable(2);
  CHECK_THROWS_WITH(solve(solver, one.graph(0, 0), {0, -std::numeric_limits<double>::infinity()}),
                    "the scores of variable 0 are not finite; graph_cut needs finite ones");
}

TEST_CASE("graph_cut reports that no output exists, and gives the empty output") {
  const LiveComponent solver("graph_cut");
  sculpt::FactorGraphBuilder builder;
  CHECK(solve(solver, builder.graph(0, 0), {}).output.empty());
  builder.add_variable(0);
  CHECK(solve(solver, builder.graph(0, 0), {}).flags == SCULPT_ANSWER_NO_OUTPUT);
}

TEST_CASE("graph_cut checks for a stop request during the cut of a large image") {
  Random random(41);
  const std::int32_t side = 128;
  sculpt::FactorGraphBuilder builder;
  for (std::int32_t v = 0; v < side * side; ++v) builder.add_variable(2);
  const std::int64_t pair = builder.add_table(4);
  for (std::int32_t v = 1; v < side * side; ++v) {
    if (v % side != 0) builder.add_factor({v - 1, v}, pair);
    if (v >= side) builder.add_factor({v - side, v}, pair);
  }
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_BINARY, 0);
  std::vector<double> theta = normal_vector(random, cells(graph));
  make_attractive(graph, theta);
  LiveComponent solver("graph_cut");
  solver.ask_to_stop(true);
  CHECK_THROWS_WITH(solve(solver, graph, theta), "stopped");
}
