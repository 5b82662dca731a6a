// required_loss.hpp - the loss of an experiment, for the tests of the group loss.
#pragma once

#include <cstdint>
#include <string>

#include "check/fixture/test_fixture.hpp"

namespace sculpt::core {

// Returns the loss. Skips the test if there is none, or no example with a complete truth.
Loss& required_loss(TestFixture& fixture, TestContext& context);

// Fails the test with the example and the output for which the loss is wrong.
[[noreturn]] void fail_loss(TestFixture& fixture, TestContext& context, const Loss& loss,
                            std::int64_t example, const Output& output, const std::string& what);

// Returns the graph classes that an extension of the loss demands.
template <class Table>
std::uint32_t demands_of(const Component& loss, const Table& table) {
  std::uint32_t demands = 0;
  loss.call("demands", -1,
            [&](sculpt_error* error) { return table.demands(loss.self(), &demands, error); });
  return demands;
}

}  // namespace sculpt::core
