// The text of the live line, from made-up reports.

#include "launch/live_line.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace sculpt::core;

namespace {

// A pass a second, 500 calls each. The gap halves every `half_life` seconds.
LiveLine after_passes(const RunGoals& goals, int passes, double half_life) {
  LiveLine line(goals);
  for (int pass = 1; pass <= passes; ++pass) {
    PassReport report;
    report.pass = pass;
    report.oracle_calls = 500 * pass;
    report.elapsed_seconds = pass;
    report.relative_gap = std::exp2(-pass / half_life);
    line.add(report);
  }
  return line;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("live line: pass, gap, speed and a range of the time that is left") {
  // 2^-30 / 2^-40: ten half-lives of 2 s are left, 20 s.
  const std::string text = after_passes({.relative_gap = std::exp2(-40.0)}, 60, 2).text(0);
  CHECK(text.starts_with("pass 60, gap 9.3e-10, 500 calls/s, 60 s; about "));
  CHECK(text.ends_with(" s left"));
}

TEST_CASE("live line: nothing is said of what is unknown") {
  CHECK(after_passes({}, 60, 2).text(0) == "pass 60, gap 9.3e-10, 500 calls/s, 60 s");
  CHECK(after_passes({.relative_gap = 1e-3}, 1, 2).text(0.4) == "pass 1, gap 0.71, 1 s");
}

TEST_CASE("live line: a limit that comes first is named") {
  const RunGoals seconds{.relative_gap = 1e-9, .max_seconds = 70};
  CHECK(has(after_passes(seconds, 30, 20).text(0), "30 s; max_seconds in 40 s"));
  CHECK(has(after_passes(seconds, 30, 20).text(15), "45 s; max_seconds in 25 s"));
  const RunGoals passes{.max_passes = 90};
  CHECK(has(after_passes(passes, 30, 20).text(0), "; max_passes in about 60 s"));
  const RunGoals calls{.max_oracle_calls = 20000};
  CHECK(has(after_passes(calls, 30, 20).text(0), "; max_oracle_calls in about 10 s"));
}

TEST_CASE("live line: a limit after the expected end is not named, one within the range is") {
  const double target = std::exp2(-40.0);
  const std::string late =
      after_passes({.relative_gap = target, .max_seconds = 1000}, 60, 2).text(0);
  CHECK_FALSE(has(late, "max_seconds"));
  CHECK(has(late, "left"));
  const std::string within =
      after_passes({.relative_gap = target, .max_seconds = 80}, 60, 2).text(0);
  CHECK(has(within, " left, max_seconds in 20 s"));
}
