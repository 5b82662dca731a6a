// test_process.hpp - runs one test of `sculpt check` in a process of its own.
//
// Called by check_run, experiment_test_runner and variant_runner.
#pragma once

#include <functional>
#include <string>

#include "check/system/forked_function.hpp"
#include "check/system/test_context.hpp"

namespace sculpt::core {

// Both run in the process of the test, which ends without destroying their objects.
struct TestBody {
  std::function<void(TestContext& context)> run;
  std::function<void()> prepare = {};  // makes what the test needs, if missing
};

// Runs the test and returns its report. Each of the two functions may take `limit` seconds. Their
// exceptions and an early end of the process are in the report. But if memory has run out, throws
// Failure(Exit::memory). Requires that the calling process has one thread.
TestReport run_test(const std::string& name, double limit, const TestBody& body);

// Sets verdict and reasons for a child that did not end normally. `limit`: the seconds it had.
void report_abnormal_exit(TestReport& report, const ChildExit& end, double limit);

}  // namespace sculpt::core
