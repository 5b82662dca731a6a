// test_process.hpp - one test of `sculpt check` in a process of its own.
#pragma once

#include <functional>
#include <string>

#include "check/system/forked_function.hpp"
#include "check/system/test_context.hpp"

namespace sculpt::core {

// Both are called in the process of the test, which ends without destroying what they made.
struct TestBody {
  std::function<void(TestContext& context)> run;
  std::function<void()> prepare = {};  // what the test works with, if it is not there yet
};

// Each of the two may take `limit` seconds. Whatever they throw, and whatever becomes of the
// process, is in the report; but where memory has run out, Failure(Exit::memory) is thrown.
// Requires that the calling process has one thread.
TestReport run_test(const std::string& name, double limit, const TestBody& body);

// What a child that ended badly leaves to say, as verdict and reasons; `limit`: the seconds it had.
void report_abnormal_exit(TestReport& report, const ChildExit& end, double limit);

}  // namespace sculpt::core
