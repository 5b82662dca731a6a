// shipped_config.hpp - trains an experiment of configs/ as a user would.
//
// Used by config_test.cpp and config_slow_test.cpp.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "command/host_process.hpp"

namespace sculpt::test {

// Trains configs/`config` and returns the event "finished". Requires that the run reaches its
// target. The run has the SCULPT_DATA of the test.
inline Json train_shipped(const Scratch& scratch, const std::string& config, const std::string& run,
                          const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"train", std::string(SCULPT_TEST_SOURCE) + "/configs/" + config,
                                 "--output", run};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  return scratch.finished(run);
}

// The share of labels that are wrong in the split test.
inline double test_error(const Json& finished) {
  return finished["test"]["label_error"].get<double>();
}

}  // namespace sculpt::test
