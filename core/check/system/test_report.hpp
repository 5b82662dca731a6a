// test_report.hpp - what came out of one test of `sculpt check`.
//
// Made in the child process that ran the test, sent through its pipe as JSON, printed by
// check_report.hpp.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sculpt::core {

enum class Verdict {
  pass,
  warn,  // nothing is wrong, but something could not be shown
  skip,  // the test does not apply
  fail,
  crash  // the process of the test was ended by a signal, or ended itself
};

std::string_view verdict_name(Verdict verdict);

struct TestReport {
  std::string experiment;  // "" for tests of the library itself
  std::string name;        // "oracle.exact"
  Verdict verdict = Verdict::pass;
  std::vector<std::string> reasons;  // lines for people
  std::int64_t cases = 0;
  std::int64_t brute_forced = 0;  // those that were compared with every output there is
  double seconds = 0;

  bool broken() const { return verdict == Verdict::fail || verdict == Verdict::crash; }
};

nlohmann::ordered_json report_json(const TestReport& report);
// Throws nlohmann's exceptions where the JSON is another.
TestReport report_in(const nlohmann::ordered_json& json);

}  // namespace sculpt::core
