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
  std::optional<VariantOutcome> outcome;  // nothing if a test failed
  bool has_timed_out = false;
};

class VariantRow {
 public:
  // `max_seconds`: the time after which no further change is made. `if_all_refused`: the reason for
  // people then. "": the report lists what was refused.
  VariantRow(const char* name, double max_seconds, std::string if_all_refused)
      : max_seconds_(max_seconds), if_all_refused_(std::move(if_all_refused)) {
    report_.name = name;
  }

  // False if a change has failed, or the time is over. The first change is always made.
  bool takes_another();
  bool is_time_over() const { return watch_.seconds() >= max_seconds_; }
  void add(const Variant& variant, const VariantResult& result);
  void skip(const std::string& reason);
  bool has_failed() const { return report_.has_failed(); }
  // True if no change was made or left out.
  bool is_empty() const;

  // Returns the report. It says which changes were made, and which were refused.
  TestReport finished();

 private:
  double max_seconds_;
  std::string if_all_refused_;
  Stopwatch watch_;
  TestReport report_;
  std::vector<std::string> made_;
  std::vector<std::string> refused_;
  std::vector<std::string> too_slow_;
  int left_out_ = 0;
};

}  // namespace sculpt::core
