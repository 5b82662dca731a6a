// open_frontier.hpp - calls that read a frontier which its component has begun.
//
// Used by frontier_tests and frontier_brute_force.
#pragma once

#include <string>

#include "base/failure.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

// Returns call(), which reads an open frontier by the function `name`. begin() may refuse a
// frontier that is too large, but the functions after it may refuse nothing. So a refusal becomes a
// Failure in the name of the component.
template <class Call>
auto read_open_frontier(const Component& component, const char* name, std::int64_t example,
                        Call call) {
  try {
    return call();
  } catch (const Failure& failure) {
    const bool is_refusal = failure.exit_code() == Exit::config ||
                            failure.exit_code() == Exit::data ||
                            failure.exit_code() == Exit::missing;
    if (!is_refusal) throw;
    component.refuse(Exit::plugin, example,
                     "refuses " + std::string(name) + " of a frontier that it has begun (" +
                         failure.what() + "); refuse it in begin");
  }
}

}  // namespace sculpt::core
