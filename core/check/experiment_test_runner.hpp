// experiment_test_runner.hpp - the tests of an experiment one after the other, each in a process of
// its own. Where it has several oracles, those that ask an oracle follow once more for each of
// them.
//
// Called by check_run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/check_run.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {

// Every test there is, in the order they run in.
std::vector<ExperimentTest> experiment_tests();

// `problem`: what the tests work with; nothing: each test's process opens and makes it by itself,
// as it does to work with one of `oracles` (their names).
// Requires that the calling process has one thread.
void run_experiment_tests(const CheckSubject& subject, const CheckOptions& options,
                          std::unique_ptr<ProblemFactory>& source,
                          std::unique_ptr<Problem>& problem,
                          const std::vector<std::string>& oracles, const ReportSink& sink);

}  // namespace sculpt::core
