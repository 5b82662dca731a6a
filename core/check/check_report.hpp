// check_report.hpp - prints the table of `sculpt check`, or the same as JSON. Called by
// command/check.cpp.
//
// Tests of what no component offers have no row. One line for each experiment names them. Of tests
// that are skipped for the same reason, only the first has a row. The last line is the verdict. The
// tests that failed are named right above it.
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

enum class CheckForm {
  rows,   // a row for each test, as they come
  brief,  // one row for the tests of an experiment that passed; skipped tests are only counted
  json    // everything in finish()
};

class CheckReport {
 public:
  CheckReport(TextOut out, CheckTitle title, CheckForm form);

  // add() is called once per test, finish() once at the end. finish() prints the verdict and the
  // totals. `is_bad`: the exit code will say so.
  void add(const TestReport& report);
  void finish(bool is_bad);
  bool empty() const { return reports_.empty(); }
  // True if a test failed or crashed.
  bool has_failures() const;
  // True if a test warned, or the experiments cannot show some errors.
  bool has_warnings() const { return count_of(Verdict::warn) + count_of(Verdict::note) > 0; }

 private:
  // The reports [begin, end) of one experiment, or of the library itself.
  struct Part {
    std::size_t begin;
    std::size_t end;
  };
  Part last_part() const;
  void print_head();
  void print_row(const TestReport& report);
  // The row of the passed tests of an experiment.
  void print_passed();
  void end_part();
  void print_failed_names();
  // Prints the lines that name the tests without a row, if there are any.
  void print_skipped(Part part);
  // Returns the tests of a part for which `is_listed` is true. If these are all tests of a group,
  // only the group is named: "cut, scores.graph".
  template <class IsListed>
  std::string test_names(Part part, IsListed is_listed) const;
  // Returns the earlier test that was skipped for the same reason. nullptr: none.
  const TestReport* skipped_alike(const TestReport& report, Part part) const;
  // Returns an earlier report of the same experiment with the same reasons. nullptr: none.
  const TestReport* earlier_duplicate(const TestReport& report) const;
  // Returns the extensions that the library declares, but no component of its experiments answers.
  // Empty if the experiments were not asked.
  std::vector<std::string> unanswered_extensions() const;
  std::string repeat_command_of(const TestReport& report) const;
  std::size_t count_of(Verdict verdict) const;

  TextOut out_;
  CheckTitle title_;
  CheckForm form_;
  bool has_part_title_ = false;  // of the last experiment; in brief only if a test did not pass
  std::vector<TestReport> reports_;
};

}  // namespace sculpt::core
