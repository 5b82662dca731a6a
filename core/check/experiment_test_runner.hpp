// experiment_test_runner.hpp - runs the tests of an experiment, one after the other, each in its
// own process. If there are several oracles, the tests that call the oracle are repeated for each
// of them.
//
// Called by check_run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/check_run.hpp"

namespace sculpt::core {

// `problem`: used by the tests. nullptr: the process of each test opens the experiment and makes
// the problem itself. It always does so for a single one of several oracles. `oracles`: their
// names. Requires that the calling process has one thread.
void run_experiment_tests(const CheckSubject& subject, const CheckOptions& options,
                          std::unique_ptr<ExperimentFactory>& factory,
                          std::unique_ptr<Problem>& problem,
                          const std::vector<std::string>& oracles, const ReportSink& sink);

}  // namespace sculpt::core
