// check_run.hpp - runs the tests of one experiment or of one library, each in a process of its own.
// Called by the command `check`.
//
// One process for the whole experiment, the fork server, loads the plugins, reads the data and
// binds. Errors there are the result of the test "bind". The fork server has one thread and forks
// one child per test. So data are read once, and no test sees the state of another. At the end it
// destroys the components, which is the test "life.end".
//
// A fork has no threads of a plugin. So if a plugin leaves threads running, each test's process
// loads and binds by itself. A test that takes too long fails. If its process ends early, the test
// is a crash.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "check/fixture/check_options.hpp"
#include "check/fixture/problem_factory.hpp"
#include "check/system/test_report.hpp"

namespace sculpt::core {

// Both functions also pass reports with the name facts_report, which are not for people
// (check/variants/variant_runner.hpp). The last one of an experiment or a library is of this kind.

// Passes the reports of the tests to `sink` as they come. Returns why the check cannot begin: the
// Failure of `open`, a missing input, or components that bind refuses to combine.
std::optional<Failure> check_experiment(const CheckSubject& subject, const CheckOptions& options,
                                        const ReportSink& sink);

// Runs the tests that need no data. Returns why the library cannot be loaded. `experiments`
// receives the small experiments that the library contains.
std::optional<Failure> check_library(const std::filesystem::path& file, const CheckOptions& options,
                                     const ReportSink& sink, std::vector<std::string>& experiments);

// Returns the names of all tests, in the order in which they run.
std::vector<std::string> check_names();

}  // namespace sculpt::core
