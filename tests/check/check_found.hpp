// check_found.hpp - runs sculpt check on a faulty plugin, and expects its verdict.
#pragma once

#include <string>

#include "check/check_outcome.hpp"
#include "check/expected_verdicts.hpp"

namespace sculpt::test {

inline void check_found(const Expected& expected) {
  INFO(expected.plugin, ": ", expected.test);
  const CheckOutcome outcome =
      run_check({mutant_library(expected.plugin), "--only", expected.test});
  const Json found = outcome.test(expected.test);
  CHECK(outcome.exit == 1);
  const std::string verdict = found["verdict"];
  INFO(found.dump(2));
  if (*expected.verdict == '\0') {
    CHECK((verdict == "fail" || verdict == "crash"));
  } else {
    CHECK(verdict == expected.verdict);
  }
  CHECK(found["reasons"].dump().find(expected.text) != std::string::npos);
  CHECK(found.value("repeat", "").find(std::string("--only ") + expected.test) !=
        std::string::npos);
}

}  // namespace sculpt::test
