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

TEST_CASE("a test hangs if it was ended inside of a call that took half of its limit") {
  const auto hanging_component = [](bool has_timed_out, double open_seconds) {
    ChildExit end;
    end.has_timed_out = has_timed_out;
    end.open_component = "tagger";
    end.open_seconds = open_seconds;
    end.printed = "sculpt: tagger: was still inside of argmax\n";
    TestReport report;
    report_abnormal_exit(report, end, 30);
    return report.hanging_component;
  };
  CHECK(hanging_component(true, 15) == "tagger");
  CHECK(hanging_component(true, 14.9).empty());  // many calls are slow together
  CHECK(hanging_component(false, 15).empty());
}
