// check_report.hpp - prints the table of `sculpt check`, or the same as JSON. Called by the
// command.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "check/system/test_report.hpp"

namespace sculpt::core {

struct CheckTitle {
  std::string subject;  // as typed by the user
  std::string library;  // path of the library if `subject` is another text; else ""
  int level = 2;
  std::uint64_t seed = 1;
  std::string repeat;  // the command line without --only: "sculpt check viterbi.so --seed 1"
};

class CheckReport {
 public:
  // Prints rows as they come. With `json`, prints everything in finish().
  CheckReport(std::ostream& out, CheckTitle title, bool json);

  // add() is called once per test, finish() once at the end. finish() prints the totals.
  void add(const TestReport& report);
  void finish();
  bool empty() const { return reports_.empty(); }
  // True if a test failed or crashed.
  bool broken() const;
  bool warned() const { return number_of(Verdict::warn) > 0; }

 private:
  void print_row(const TestReport& report);
  // Returns an earlier report of the same experiment with the same reasons. nullptr: none.
  const TestReport* same_before(const TestReport& report) const;
  std::string repeat_of(const TestReport& report) const;
  std::size_t number_of(Verdict verdict) const;

  std::ostream& out_;
  CheckTitle title_;
  bool json_;
  std::vector<TestReport> reports_;
};

}  // namespace sculpt::core
