// check_run.hpp - runs the tests of one experiment, or of one library, each in a process of its
// own.
//
// A process for the whole experiment, the fork_server, loads the plugins, reads the data and binds:
// what goes wrong there is the verdict of the test "bind". It has one thread and forks one child
// for each test, so data are read once and no test sees what another one left. At last it destroys
// the components, which is the test "life.end". Where a plugin leaves threads running, which a fork
// loses, each test's process loads and binds by itself. A test that takes too long fails, one whose
// process ends is a crash.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "check/fixture/check_options.hpp"
#include "check/fixture/problem_factory.hpp"
#include "check/system/test_report.hpp"

namespace sculpt::core {

// An experiment and how to get at it. `open` runs in the fork_server, or in the process of a test;
// it throws Failure when the experiment is wrong or a component is not there.
struct CheckSubject {
  std::string name;
  std::function<std::unique_ptr<ProblemFactory>()> open;
};

using ReportSink = std::function<void(const TestReport& report)>;

// Reports of the tests go to `sink` as they come. Returns why the check cannot begin: what `open`
// threw, an input that is missing or a pairing that is refused at bind.
std::optional<Failure> check_experiment(const CheckSubject& subject, const CheckOptions& options,
                                        const ReportSink& sink);

// The tests that need no data. Returns why the library cannot be loaded, if so. `experiments`
// receives the tiny experiments that the library carries.
std::optional<Failure> check_library(const std::filesystem::path& file, const CheckOptions& options,
                                     const ReportSink& sink, std::vector<std::string>& experiments);

// Every test there is, in the order they run in.
std::vector<std::string> check_names();

}  // namespace sculpt::core
