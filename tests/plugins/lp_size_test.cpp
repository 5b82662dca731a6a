// lp and branch_and_bound refuse graphs that are too large, with their size.
#include <doctest/doctest.h>

#include "random_graphs.hpp"
#include "relaxed_answers.hpp"

using namespace plugin_test;

namespace {

// The message up to " bytes", or "" if the graph is accepted.
std::string refused_size(const nlohmann::json& parameters, const sculpt_factor_graph& graph,
                         const std::vector<double>& theta) {
  try {
    solve_relaxed(LiveComponent("lp", parameters), graph, theta);
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_UNSUPPORTED);
    const std::string what = failure.what();
    return what.substr(0, what.find(" bytes"));
  }
  return "";
}

}  // namespace

TEST_CASE("lp and branch_and_bound refuse a graph above max_cells before they allocate memory") {
  // a ring of 400 variables with 300 states and one shared table: 210 000 scores, 36 360 000 cells
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 400; ++v) builder.add_variable(300);
  const std::int64_t table = builder.add_table(300 * 300);
  for (int v = 0; v < 400; ++v) builder.add_factor({v, (v + 1) % 400}, table);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
  const std::vector<double> theta(cells(graph), 1.0);
  for (const char* solver : {"lp", "branch_and_bound"}) {
    CHECK_THROWS_WITH(solve_bounded(LiveComponent(solver), graph, theta),
                      "the linear program of 400 variables and 400 tables has 36360000 cells of 8 "
                      "bytes, more than max_cells = 30000000; raise max_cells if every thread has "
                      "memory for them, or use a map_solver without a linear program: "
                      "belief_propagation, greedy, icm");
  }
}

TEST_CASE("lp refuses matrices larger than max_cells even if the program is smaller") {
  // all pairs of seven variables with three states, which score better if they differ; messages
  // alone do not solve this
  sculpt::FactorGraphBuilder pairs;
  for (int v = 0; v < 7; ++v) pairs.add_variable(3);
  for (int u = 0; u < 7; ++u) {
    for (int v = u + 1; v < 7; ++v) pairs.add_factor({u, v}, pairs.add_table(9));
  }
  const sculpt_factor_graph& graph = pairs.graph(SCULPT_GRAPH_PAIRWISE, 0);
  std::vector<double> theta(cells(graph), 0.0);
  for (std::size_t c = 21; c < theta.size(); ++c) theta[c] = (c - 21) % 9 % 4 == 0 ? -1 : 0;
  const auto refusal = [&](const char* method, std::int64_t max_cells) {
    return refused_size({{"method", method}, {"max_cells", max_cells}}, graph, theta);
  };
  // 21 states, 21 tables of 9 cells with 6 messages
  CHECK(refusal("dual", 335) ==
        "the linear program of 7 variables and 21 tables has 336 cells of 8");
  CHECK(refusal("dual", 336) == "the equations of the linear program have 525 cells of 12");
  CHECK(refusal("clp", 524) == "the equations of the linear program have 525 cells of 12");
  CHECK(refusal("clp", 525) == "");
  // The sum of (entries of a column)^2. The last state of a second place has no row. So:
  //   7 * 2 * 7^2 + (1^2 + ... + 7^2) for states, 21 * (6 * 2^2 + 3) for cells
  CHECK(refusal("dual", 1392) ==
        "the interior point method needs a matrix of up to 1393 cells of 12");
  CHECK(refusal("dual", 30000) == "");
}

TEST_CASE("lp refuses a matrix factor with too much fill-in") {
  Random random(109);
  sculpt::FactorGraphBuilder builder;
  add_square(builder, 12, 5);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
  const std::vector<double> theta = normal_vector(random, cells(graph));
  CHECK(refused_size({{"max_cells", 53960}}, graph, theta) ==
        "the interior point method needs a factor of at least 53961 cells of 12");
  // the number of entries that Eigen stores
  CHECK(refused_size({{"max_cells", 53961}}, graph, theta) == "");
}
