// The cells of a sweep and their chains.

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "sweep/plan/sweep_plan.hpp"

using namespace sculpt::core;

namespace {

std::vector<std::vector<std::string>> names(const SweepPlan& plan) {
  std::vector<std::vector<std::string>> chains;
  for (const auto& chain : plan.chains) {
    chains.emplace_back();
    for (const std::size_t cell : chain) chains.back().push_back(plan.cells[cell].name);
  }
  return chains;
}

using Chains = std::vector<std::vector<std::string>>;

}  // namespace

TEST_CASE("cells of one fold that differ only in C are a chain with C ascending") {
  const Grid grid({"solver.C=100,1,10", "oracle=viterbi,icm"});
  std::vector<PointTraits> traits;
  for (const double C : {100.0, 100.0, 1.0, 1.0, 10.0, 10.0}) traits.push_back({C, true});
  HoldOutOptions hold_out_options;
  hold_out_options.folds = 2;
  const SweepPlan plan = plan_of(grid, hold_out_options, traits);
  REQUIRE(plan.cells.size() == 12);
  CHECK(plan.cells[3].name == "001.fold1");
  CHECK(plan.cells[3].settings ==
        std::vector<std::string>{"solver.C=100", "oracle=icm",
                                 R"(hold_out={"folds":2,"fold":1,"seed":0})"});
  CHECK(names(plan) == Chains{{"002.fold0", "004.fold0", "000.fold0"},
                              {"002.fold1", "004.fold1", "000.fold1"},
                              {"003.fold0", "005.fold0", "001.fold0"},
                              {"003.fold1", "005.fold1", "001.fold1"}});
  CHECK(plan.cells[4].is_cold_start);  // 002.fold0
  CHECK_FALSE(plan.cells[8].is_cold_start);
}

TEST_CASE("a cell that cannot start with planes is a chain of its own") {
  const Grid grid({"solver.C=1,inf,10"});
  const double infinity = std::numeric_limits<double>::infinity();
  const SweepPlan plan = plan_of(grid, {}, {{1, true}, {infinity, false}, {10, true}});
  CHECK(names(plan) == Chains{{"000", "002"}, {"001"}});
  CHECK(plan.cells[1].is_cold_start);
  CHECK(plan.cells[1].settings == std::vector<std::string>{"solver.C=inf"});
}

TEST_CASE("a held out fraction is the same in every cell") {
  const Grid grid({"loss=hamming,zero_one"});
  HoldOutOptions hold_out_options;
  hold_out_options.fraction = 0.25;
  hold_out_options.seed = 7;
  hold_out_options.groups = "g.txt";
  const SweepPlan plan = plan_of(grid, hold_out_options, {{1, true}, {1, true}});
  CHECK(names(plan) == Chains{{"000"}, {"001"}});
  CHECK(plan.cells[1].settings[1] == R"(hold_out={"fraction":0.25,"seed":7,"groups":"g.txt"})");
}
