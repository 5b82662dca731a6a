// test_report.hpp - the result of one test of `sculpt check`.
//
// Made in the child process that ran the test, sent through its pipe as JSON, printed by
// check_report.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sculpt::core {

enum class Verdict {
  pass,
  note,  // no error was found; the experiments cannot show some errors
  warn,  // no error was found, but something could not be tested
  skip,  // the test does not apply
  fail,
  crash  // a signal ended the process of the test, or it ended itself
};

std::string_view verdict_name(Verdict verdict);

struct TestReport {
  std::string experiment;  // "" for tests of the library itself
  std::string name;        // "oracle.exact"
  Verdict verdict = Verdict::pass;
  bool is_not_offered = false;       // skipped because no component offers what is tested
  std::vector<std::string> reasons;  // lines for people
  std::int64_t cases = 0;
  std::int64_t brute_forced = 0;  // cases compared with all outputs
  double seconds = 0;
  // "features chain: sculpt.names/1". library.extensions lists what the components of the library
  // declare, life.extensions what those of the experiment answer.
  std::vector<std::string> extensions;
  // True if its process was ended at the time limit. Known only to the process that ran it.
  bool has_timed_out = false;
  // Its short name, if it has timed out inside of a single call to this component, which took at
  // least half of the limit. "" for many calls that are slow together.
  std::string hanging_component;
  std::string facts;  // JSON for later steps of the check, or ""; not for people

  // True if it failed or crashed.
  bool has_failed() const { return verdict == Verdict::fail || verdict == Verdict::crash; }
  bool is_hanging() const { return !hanging_component.empty(); }
};

using ReportSink = std::function<void(const TestReport& report)>;

// The form in which a report is sent through the pipe. Without facts it is printed as well.
nlohmann::ordered_json report_json(const TestReport& report);
// Throws exceptions of nlohmann or std::runtime_error if the JSON has another form.
TestReport report_from_json(const nlohmann::ordered_json& json);

}  // namespace sculpt::core
