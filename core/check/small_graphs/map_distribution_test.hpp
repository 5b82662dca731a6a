// map_distribution_test.hpp - a map_solver is asked for what it tells of all assignments of random
// small graphs, and of graphs without variables or states, until something told is wrong.
//
// Shared by map_distribution_tests.cpp and interrupted_sequence_tests.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/small_graphs/map_distribution_caller.hpp"
#include "check/small_graphs/random_graph_test.hpp"

namespace sculpt::core {

// What is wrong, as lines, or none; nothing where the solver does not support the graph.
using DistributionFault = std::function<std::optional<std::vector<std::string>>(
    const SmallGraph&, MapDistributionCaller&)>;

void try_distributions(TestFixture& fixture, TestContext& context, const char* test,
                       const Component& map_solver, const DistributionFault& fault);

// About the draft with this table; ends the test where the solver does not offer it.
template <class Table>
class MapDistributionTrial {
 public:
  MapDistributionTrial(TestFixture& fixture, TestContext& context, const char* test)
      : bench_(fixture), findings_(context), test_(test), solver_(map_solver_of(fixture, context)) {
    if (solver_.extension<Table>() != nullptr) return;
    context.skip(name() + " does not offer " + Extension<Table>::id);
  }
  const std::string& name() const { return solver_.name(); }
  void run(const DistributionFault& fault) {
    try_distributions(bench_, findings_, test_, solver_, fault);
  }

 private:
  TestFixture& bench_;
  TestContext& findings_;
  const char* test_;
  const Component& solver_;
};

}  // namespace sculpt::core
