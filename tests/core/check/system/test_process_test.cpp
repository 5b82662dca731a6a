// A test that runs in a process of its own: what is left of its report if the process ends badly.

#include "check/system/test_process.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("a process that crashes after its report has no facts, and a crash is no timeout") {
  TestReport report;
  report.facts = "{}";
  ChildExit end;
  end.has_timed_out = false;
  report_abnormal_exit(report, end, 30);
  CHECK(report.verdict == Verdict::crash);
  CHECK(report.facts.empty());
  CHECK_FALSE(report.has_timed_out);
  end.has_timed_out = true;
  report_abnormal_exit(report, end, 30);
  CHECK(report.verdict == Verdict::fail);
  CHECK(report.has_timed_out);
}
