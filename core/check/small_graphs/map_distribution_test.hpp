// map_distribution_test.hpp - calls a map_solver's distribution extensions on random small graphs,
// and on graphs without variables or states. Stops at the first wrong result.
//
// Shared by map_distribution_tests.cpp and interrupted_sequence_tests.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/small_graphs/map_distribution_caller.hpp"
#include "check/small_graphs/random_graph_test.hpp"

namespace sculpt::core {

// Returns what is wrong, as lines, or none. Returns nothing if the solver does not support the
// graph.
using DistributionFault = std::function<std::optional<std::vector<std::string>>(
    const SmallGraph&, MapDistributionCaller&)>;

void test_distributions(TestFixture& fixture, TestContext& context, const char* test,
                        const Component& map_solver, const DistributionFault& fault);

// The tests of the extension `Table`. Skips the test if the solver does not offer it.
template <class Table>
class MapDistributionTest {
 public:
  MapDistributionTest(TestFixture& fixture, TestContext& context, const char* test)
      : fixture_(fixture),
        context_(context),
        test_(test),
        solver_(map_solver_of(fixture, context)) {
    if (solver_.extension<Table>() != nullptr) return;
    context.skip_not_offered(std::string(Extension<Table>::id) + " of " + name());
  }
  const std::string& name() const { return solver_.name(); }
  void run(const DistributionFault& fault) {
    test_distributions(fixture_, context_, test_, solver_, fault);
  }

 private:
  TestFixture& fixture_;
  TestContext& context_;
  const char* test_;
  const Component& solver_;
};

}  // namespace sculpt::core
