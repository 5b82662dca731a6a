// variant_row.hpp - one row of the report: the results of several changes of an experiment.
//
// Called by variant_runner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/stopwatch.hpp"
#include "check/system/test_report.hpp"
#include "check/variants/variant_body.hpp"

namespace sculpt::core {

struct VariantResult {
  TestReport report;
  std::optional<VariantOutcome> outcome;  // nothing if a test failed or timed out
};

// What one row may cost. The counts decide. The time is over only where a plugin is slow, so that
// the result does not depend on the speed of the machine.
struct RowBudget {
  int changes = 0;
  int steps = 0;       // of the searches for limits
  double seconds = 0;  // after them no further change is made
};

class VariantRow {
 public:
  // `if_all_refused`: the reason for people if every change is refused. "": the report lists what
  // was refused.
  VariantRow(const char* name, const RowBudget& budget, std::string if_all_refused)
      : budget_(budget), if_all_refused_(std::move(if_all_refused)) {
    report_.name = name;
  }

  // False if a change has failed, or the budget is used up. Then the change counts as left out. The
  // first change is always made.
  bool takes_another(const std::string& title);
  // False if the budget of steps, or the time, is used up. Else the step counts as made.
  bool takes_step();
  // A change that takes too long is left out. But a report that is hanging is a fault.
  void add(const Variant& variant, const VariantResult& result);
  // Adds a change that was not made for another reason than time. `reason`: "zero_one: ...".
  void leave_out(const std::string& reason) { left_out_reasons_.push_back(reason); }
  // Adds a parameter for which no value with a truth at its limit was found.
  void add_open_limit(const std::string& key);
  // Takes the time of a step that took too long from the time of the row.
  void forgive(const TestReport& step);
  void skip(const std::string& reason);
  bool has_failed() const { return report_.has_failed(); }
  // True if no change was made or left out.
  bool is_empty() const;
  // True if the budget allowed fewer changes than there are, or some took too long.
  bool has_left_out() const;

  // Returns the report. It says which changes were made, and which were refused.
  TestReport finished();
  // Returns what the changes that were left out would show: lines for the judgement.
  std::vector<std::string> limits() const;

 private:
  static constexpr int max_forgiven = 2;  // a row must end, also if every change is slow

  bool is_time_over() const { return watch_.seconds() - forgiven_seconds_ >= budget_.seconds; }

  RowBudget budget_;
  std::string if_all_refused_;
  Stopwatch watch_;
  TestReport report_;
  std::vector<std::string> made_;
  std::vector<std::string> refused_;
  std::vector<std::string> too_slow_;
  std::vector<std::string> left_out_by_count_;
  std::vector<std::string> left_out_by_time_;
  std::vector<std::string> left_out_reasons_;
  std::vector<std::string> open_limits_;
  int changes_ = 0;
  int steps_ = 0;
  int forgiven_ = 0;
  double forgiven_seconds_ = 0;
};

}  // namespace sculpt::core
