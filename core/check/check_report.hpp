// check_report.hpp - prints the table of `sculpt check`, or the same as JSON. Called by
// command/check.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/text/text_out.hpp"
#include "check/system/test_report.hpp"

namespace sculpt::core {

struct CheckTitle {
  std::string subject;  // as typed by the user
  std::string library;  // path of the library if `subject` is another text; else ""
  int level = 2;
  std::uint64_t seed = 1;
  // The command line without --only: "sculpt check viterbi.so --seed 1".
  std::string repeat_command;
};

class CheckReport {
 public:
  // Prints rows as they come. With `is_json`, prints everything in finish().
  CheckReport(CheckTitle title, bool is_json);

  // add() is called once per test, finish() once at the end. finish() prints the totals.
  void add(const TestReport& report);
  void finish();
  bool empty() const { return reports_.empty(); }
  // True if a test failed or crashed.
  bool has_failures() const;
  bool has_warnings() const { return count_of(Verdict::warn) > 0; }

 private:
  void print_row(const TestReport& report);
  // Returns an earlier report of the same experiment with the same reasons. nullptr: none.
  const TestReport* earlier_duplicate(const TestReport& report) const;
  std::string repeat_command_of(const TestReport& report) const;
  std::size_t count_of(Verdict verdict) const;

  TextOut out_;
  CheckTitle title_;
  bool is_json_;
  std::vector<TestReport> reports_;
};

}  // namespace sculpt::core
