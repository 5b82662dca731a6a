// Plans against times that were computed by hand.

#include "command/plan/rank_plan.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

namespace {

constexpr Network slow_network = {1e-3, 1e6};

// Ten steps of 64 examples that take 8 s, and 2 s of the QP.
RunCosts oracle_and_qp() {
  RunCosts costs;
  costs.seconds = 10;
  costs.groups = {{"separation", 10, 640, 8.0}};
  costs.serial = {{"the QP", 2}};
  return costs;
}

// Ten sums of 64 ranges, a vector of 8 MB, and 1.3 s to add the ranges.
RunCosts sums_and_qp() {
  RunCosts costs = oracle_and_qp();
  costs.groups = {{"sums over the examples", 10, 640, 8.0, 0, 8000000, 1.3}};
  return costs;
}

}  // namespace

TEST_CASE("one process needs what was measured, and sends nothing") {
  for (const RunCosts& costs : {oracle_and_qp(), sums_and_qp()}) {
    const Plan plan = plan_run(costs, 1, 1, slow_network);
    CHECK(plan.serial == 2);
    CHECK(plan.oracle == doctest::Approx(8));
    CHECK(plan.messages == 0);
    CHECK(plan.limited_by == "the oracle");
  }
  CHECK(plan_run(sums_and_qp(), 1, 1, slow_network).sums == doctest::Approx(1.3));
}

TEST_CASE("a header of 96 bytes goes along ceil(log2 N) hops at each step") {
  const Plan plan = plan_run(oracle_and_qp(), 4, 1, slow_network);
  CHECK(plan.oracle == doctest::Approx(2));
  CHECK(plan.small_steps == doctest::Approx(0));
  CHECK(plan.messages == doctest::Approx(10 * (2e-3 + 3 * 96e-6 + 3e-6)));
  CHECK(plan.seconds() == doctest::Approx(4 + 0.02291));
  CHECK(plan_run(oracle_and_qp(), 5, 1, slow_network).messages ==
        doctest::Approx(10 * (3e-3 + 4 * 96e-6 + 4e-6)));
}

TEST_CASE("threads share steps, and send nothing") {
  const Plan plan = plan_run(oracle_and_qp(), 1, 4, slow_network);
  CHECK(plan.seconds() == doctest::Approx(4));
  CHECK(plan.messages == 0);
  CHECK(plan_run(oracle_and_qp(), 2, 2, slow_network).oracle == doctest::Approx(2));
}

TEST_CASE("a step takes as many rounds as its largest part has examples") {
  // 64 examples of 12.5 ms on 48 workers: 2 rounds, where 4/3 would do.
  const Plan plan = plan_run(oracle_and_qp(), 48, 1, slow_network);
  CHECK(plan.oracle == doctest::Approx(8.0 / 48));
  CHECK(plan.oracle + plan.small_steps == doctest::Approx(10 * 2 * 0.0125));
  for (const std::int64_t ranks : {64, 100, 1000}) {
    const Plan larger = plan_run(oracle_and_qp(), ranks, 1, slow_network);
    CHECK(larger.oracle + larger.small_steps == doctest::Approx(0.125));
  }
}

TEST_CASE("steps of one example gain nothing") {
  RunCosts costs = oracle_and_qp();
  costs.groups = {{"separation", 640, 640, 8.0}};
  const Plan plan = plan_run(costs, 8, 1, slow_network);
  CHECK(plan.oracle + plan.small_steps == doctest::Approx(8));
  CHECK(plan.limited_by == "steps of too few examples");
  CHECK(plan_end(costs, 1, slow_network).useful == 1);
  CHECK(plan_end(costs, 1, slow_network).fastest == 1);
}

TEST_CASE("answers are sent to all other ranks, and packed and unpacked") {
  RunCosts costs = oracle_and_qp();
  costs.groups.front().bytes = 10 * 4e6;
  const double header = 2e-3 + 3 * 96e-6 + 3e-6;
  const double answers = 2e-3 + 3e6 / 1e6 + 3e-6;
  const double packing = 40e6 * 1e-9;
  CHECK(plan_run(costs, 4, 1, slow_network).messages ==
        doctest::Approx(10 * (header + answers) + packing));
  CHECK(plan_run(costs, 4, 1, slow_network).limited_by == "messages");
}

TEST_CASE("a sum of vectors sends the nodes of the tree, and then the segments of the sum") {
  const double small = 2e-3 + 3e-6;  // without bytes, 4 ranks
  // 4 ranks have a node of 16 ranges each. One gets three nodes in its segment of 2 MB.
  CHECK(plan_run(sums_and_qp(), 4, 1, slow_network).messages ==
        doctest::Approx(10 * (small + 288e-6 + small + 6 + small + 6)));
  // 3 ranks have 3, 5 and 3 nodes: 21 = 16 + 4 + 1 ranges, 1 + 2 + 8 + 8 + 2, and 2 + 4 + 16.
  CHECK(plan_run(sums_and_qp(), 3, 1, slow_network).messages ==
        doctest::Approx(10 * (3 * (2e-3 + 2e-6) + 192e-6 + 8 * 8.0 / 3 + 8 * 2.0 / 3)));
}

TEST_CASE("the ranges of a sum are added on their rank, then nodes in each segment") {
  // One process: 64 + 1 vectors in 1.3 s. 4 ranks: (64 + 4) / 4 + 1 = 18 vectors, and a copy of
  // one of 8 MB at each of 10 steps.
  CHECK(plan_run(sums_and_qp(), 4, 1, slow_network).sums == doctest::Approx(1.3 * 18 / 65 + 0.08));
  CHECK(plan_run(sums_and_qp(), 4, 2, slow_network).sums == doctest::Approx(0.65 * 18 / 65 + 0.08));
  // A rank without ranges still adds: (64 + 64) / 128 + 1 = 2 vectors. Half of them have a node.
  CHECK(plan_run(sums_and_qp(), 128, 1, slow_network).sums == doctest::Approx(1.3 * 2 / 65 + 0.04));
  // And back: what 4 ranks need for it.
  RunCosts costs = sums_and_qp();
  costs.ranks = 4;
  costs.groups.front().adding_seconds = 4 * (1.3 * 18 / 65 + 0.08);
  CHECK(plan_run(costs, 1, 1, slow_network).sums == doctest::Approx(1.3));
}

TEST_CASE("a run on several ranks and threads says the same about one example") {
  RunCosts costs = oracle_and_qp();
  costs.ranks = 3;
  costs.threads = 2;
  // 64 examples: 21, 21 and 22 on the ranks, so 11 rounds each; 12.5 ms a round, three ranks.
  costs.groups.front().seconds = 10 * 3 * 11 * 0.0125;
  CHECK(plan_run(costs, 1, 1, slow_network).oracle == doctest::Approx(8));
  CHECK(plan_run(costs, 4, 1, slow_network).seconds() ==
        doctest::Approx(plan_run(oracle_and_qp(), 4, 1, slow_network).seconds()));
}

TEST_CASE("the end is where doubling saves less than a tenth, and where it costs time") {
  RunCosts costs;
  costs.groups = {{"separation", 1, 1 << 20, 15}};
  costs.serial = {{"the QP", 1}};
  // 64 ranks: 1.234 s after 1.469. 128: 1.117, which saves 9.5 %.
  const Network fast = {1e-9, 1e15};
  CHECK(plan_end(costs, 1, fast).useful == 64);
  CHECK(plan_end(costs, 2, fast).useful == 32);
  CHECK(plan_end(costs, 1, fast).fastest == 1024);
  // 0.1 s for each hop, one step: 1 + 15 / N + 0.1 log2 N is 1.834, 1.817 and 1.859.
  const Network far = {1e-1, 1e15};
  CHECK(plan_run(costs, 64, 1, far).seconds() == doctest::Approx(1.834).epsilon(1e-3));
  CHECK(plan_run(costs, 128, 1, far).seconds() == doctest::Approx(1.817).epsilon(1e-3));
  CHECK(plan_end(costs, 1, far).fastest == 128);
  CHECK(plan_end(costs, 1, far).gets_slower);
  CHECK(!plan_end(costs, 1, fast).gets_slower);
  CHECK(plan_end(costs, 1, far).useful == 32);
}

TEST_CASE("the end has a cause: serial work, messages, or steps with too few parts") {
  RunCosts costs;
  costs.groups = {{"separation", 1, 1 << 20, 15}};
  costs.serial = {{"the QP", 1}};
  const Network fast = {1e-9, 1e15};
  CHECK(plan_end(costs, 1, fast).cause == "the QP takes 90 % of the time");
  costs.serial.front().seconds = 0.001;
  CHECK(plan_end(costs, 1, {1e-1, 1e15}).cause == "messages take 86 % of the time");
  CHECK(plan_end(sums_and_qp(), 1, fast).cause == "the QP takes 88 % of the time");
  RunCosts few = sums_and_qp();
  few.groups.front().parts = 40;
  CHECK(plan_end(few, 1, fast).useful == 4);
  CHECK(plan_end(few, 1, fast).cause == "sums over the examples have 4 parts only");
  few.groups = {{"separation", 10, 40, 8}};
  CHECK(plan_end(few, 1, fast).cause == "steps have 4 examples only");
}

TEST_CASE("the largest part limits a plan, by its name in the run") {
  CHECK(plan_run(oracle_and_qp(), 16, 1, {1e-6, 1e9}).limited_by == "the QP");
  CHECK(plan_run(oracle_and_qp(), 16, 1, {1e-6, 1e9}).limit == 2);
}
