// test_context.hpp - counts the cases of a test of `sculpt check`, and ends it.
//
// A test counts its cases and returns if it passed. The first failure ends it. Made by
// test_process, used by check/tests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/system/test_report.hpp"

namespace sculpt::core {

// Thrown by fail() and skip(). Caught only by run_test().
struct TestEnded {};

class TestContext {
 public:
  // `activity_sink` receives what the test does next. It is shown if the test never returns.
  explicit TestContext(std::function<void(const std::string&)> activity_sink)
      : activity_sink_(std::move(activity_sink)) {}

  // Sets what the test does next.
  void set_activity(const std::string& what) const { activity_sink_(what); }

  // The outputs that a case is compared with.
  enum class Compared { some_outputs, all_outputs };
  // Counts a case before it is tested.
  void count(Compared with = Compared::some_outputs) {
    ++report_.cases;
    if (with == Compared::all_outputs) ++report_.brute_forced;
  }
  std::int64_t cases() const { return report_.cases; }
  std::int64_t brute_forced() const { return report_.brute_forced; }

  // Adds a line for people. Does not change the verdict.
  void remark(const std::string& line) { report_.reasons.push_back(line); }
  void warn(const std::string& line) {
    report_.verdict = Verdict::warn;
    remark(line);
  }
  // skip() and fail() end the test with this verdict. They throw TestEnded.
  [[noreturn]] void skip(const std::string& reason) { end(Verdict::skip, {reason}); }
  // Skips the test because no component offers `what`. The report lists such tests in one line.
  [[noreturn]] void skip_not_offered(const std::string& what) {
    report_.is_not_offered = true;
    skip("not offered: " + what);
  }
  [[noreturn]] void fail(const std::string& reason) { end(Verdict::fail, {reason}); }
  [[noreturn]] void fail(const std::vector<std::string>& lines) { end(Verdict::fail, lines); }

  TestReport& report() { return report_; }

 private:
  [[noreturn]] void end(Verdict verdict, const std::vector<std::string>& lines) {
    report_.verdict = verdict;
    report_.reasons = lines;
    throw TestEnded();
  }

  std::function<void(const std::string&)> activity_sink_;
  TestReport report_;
};

}  // namespace sculpt::core
