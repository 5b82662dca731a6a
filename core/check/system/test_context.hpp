// test_context.hpp - what a test of `sculpt check` says while it runs.
//
// A test counts its cases and returns when it passed. The first failure ends it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/system/test_report.hpp"

namespace sculpt::core {

// Thrown by fail() and skip(); caught by run_test() alone.
struct TestEnded {};

class TestContext {
 public:
  // `note` hears what the test is about to do: shown should it never return.
  explicit TestContext(std::function<void(const std::string&)> note) : note_(std::move(note)) {}

  void now(const std::string& what) const { note_(what); }

  enum class Compared { something, everything };
  // One case is about to be judged; `everything`: against all outputs there are.
  void count(Compared with = Compared::something) {
    ++report_.cases;
    if (with == Compared::everything) ++report_.brute_forced;
  }
  std::int64_t cases() const { return report_.cases; }
  std::int64_t brute_forced() const { return report_.brute_forced; }

  // A line for people that changes no verdict.
  void remark(const std::string& line) { report_.reasons.push_back(line); }
  void warn(const std::string& line) {
    report_.verdict = Verdict::warn;
    remark(line);
  }
  [[noreturn]] void skip(const std::string& reason) { end(Verdict::skip, {reason}); }
  [[noreturn]] void fail(const std::string& reason) { end(Verdict::fail, {reason}); }
  [[noreturn]] void fail(const std::vector<std::string>& lines) { end(Verdict::fail, lines); }

  TestReport& report() { return report_; }

 private:
  [[noreturn]] void end(Verdict verdict, const std::vector<std::string>& lines) {
    report_.verdict = verdict;
    report_.reasons = lines;
    throw TestEnded();
  }

  std::function<void(const std::string&)> note_;
  TestReport report_;
};

}  // namespace sculpt::core
