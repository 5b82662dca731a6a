// Which features, losses and map_solvers work together.
#include <doctest/doctest.h>

#include "core/problem/training_refusal.hpp"

using namespace sculpt::core;

TEST_CASE("components that cannot work together are refused with the reason") {
  toy_plan() = random_toy(5, 1);
  const ProblemSpec spec = toy_spec(toy_map_solver());
  toy_plan().features_offer_graph = false;
  Refusal refusal = training_refusal(spec);
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("search solves factor graphs; counts offers none"));

  toy_plan() = random_toy(5, 1);
  toy_plan().loss_splits = false;
  refusal = training_refusal(spec);
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("search needs a loss that splits over factors; errors does not"));
  CHECK_NOTHROW(Problem(spec, Purpose::prediction, 1, {}));

  toy_plan() = random_toy(5, 1);
  toy_plan().promised_classes = SCULPT_GRAPH_PAIRWISE;
  toy_plan().solver_demands = {SCULPT_GRAPH_CHAIN};
  refusal = training_refusal(spec);
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text ==
        "search needs chain graphs; counts offers pairwise; its edges may form cycles or branch: "
        "choose a map_solver for all graphs, such as lp or branch_and_bound (for probabilities "
        "belief_propagation), or other features or "
        "edges");

  toy_plan().solver_demands = {0};
  toy_plan().loss_demands = SCULPT_GRAPH_SINGLE | SCULPT_GRAPH_BINARY;
  CHECK(training_refusal(spec).says(
      "errors needs binary, single graphs; counts offers pairwise. A frontier would work instead, "
      "but search offers no frontier (sculpt.frontier/2). Use another loss"));
}

TEST_CASE("a map_solver with alternative demands accepts graphs of each, and a refusal lists all") {
  toy_plan() = random_toy(5, 1);
  const ProblemSpec spec = toy_spec(toy_map_solver());
  const std::uint32_t forest = SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_FOREST;
  toy_plan().solver_demands = {forest, SCULPT_GRAPH_ORDER_TWO | SCULPT_GRAPH_BINARY};
  toy_plan().promised_classes = SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_ORDER_TWO;
  const Refusal refusal = training_refusal(spec);
  CHECK(refusal.exit == Exit::config);
  CHECK(
      refusal.says("search needs pairwise, forest graphs or order-two, binary graphs; counts "
                   "offers pairwise, order-two; "));
  toy_plan().promised_classes = SCULPT_GRAPH_BINARY | SCULPT_GRAPH_ORDER_TWO;
  CHECK_NOTHROW(Problem(spec, Purpose::training, 1, {}));
  // A chain is of order two, even if the features do not promise it.
  toy_plan().promised_classes = SCULPT_GRAPH_BINARY | SCULPT_GRAPH_CHAIN;
  CHECK_NOTHROW(Problem(spec, Purpose::training, 1, {}));
  toy_plan().promised_classes = forest;
  CHECK_NOTHROW(Problem(spec, Purpose::training, 1, {}));
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
    toy_plan().change_demands = [wrong](std::int64_t& count) { count = wrong; };
    CHECK(training_refusal(spec).text ==
          "search: demands " + std::to_string(wrong) +
              " sets of graph classes; it must demand from 1 to 1000, and the set 0 accepts every "
              "graph");
  }
}

TEST_CASE("a frontier that demands more than its map_solver is refused if it is needed") {
  toy_plan() = random_toy(5, 1);
  toy_plan().offers_frontier = true;
  toy_plan().counts = {{"errors", INT64_MAX, 0, 0}};
  toy_plan().solver_demands = {SCULPT_GRAPH_PAIRWISE, SCULPT_GRAPH_ORDER_TWO};
  toy_plan().frontier_demands = SCULPT_GRAPH_PAIRWISE;
  toy_plan().promised_classes = SCULPT_GRAPH_ORDER_TWO;
  toy_plan().loss_splits = false;
  CHECK(training_refusal(toy_spec(toy_map_solver()))
            .says("the frontier of search needs pairwise graphs; counts offers order-two"));
  toy_plan().promised_classes = 7;
  CHECK_NOTHROW(Problem(toy_spec(toy_map_solver()), Purpose::training, 1, {}));
}
