// check_report.hpp - the table that `sculpt check` prints, or the same as JSON.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "check/system/test_report.hpp"

namespace sculpt::core {

struct CheckTitle {
  std::string subject;  // as the user wrote it
  std::string library;  // the file of it, where that is another text; else ""
  int level = 2;
  std::uint64_t seed = 1;
  std::string repeat;  // the command line without --only: "sculpt check viterbi.so --seed 1"
};

class CheckReport {
 public:
  // Prints rows as they come, or, with `json`, everything in finish().
  CheckReport(std::ostream& out, CheckTitle title, bool json);

  void add(const TestReport& report);
  void finish();
  bool empty() const { return reports_.empty(); }
  // Whether a test failed or crashed.
  bool broken() const;
  bool warned() const { return number_of(Verdict::warn) > 0; }

 private:
  void print_row(const TestReport& report);
  // The one in front that says the same of the same experiment; nullptr: none.
  const TestReport* same_before(const TestReport& report) const;
  std::string repeat_of(const TestReport& report) const;
  std::size_t number_of(Verdict verdict) const;

  std::ostream& out_;
  CheckTitle title_;
  bool json_;
  std::vector<TestReport> reports_;
};

}  // namespace sculpt::core
