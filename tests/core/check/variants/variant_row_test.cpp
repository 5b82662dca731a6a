// One row of the report about changed experiments: what was made, refused and left out.

#include "check/variants/variant_row.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sculpt::core;

namespace {

constexpr double hours = 10000;  // seconds; so that no time matters

Variant change(const std::string& title) {
  Variant variant;
  variant.title = title;
  return variant;
}

VariantResult passed() {
  VariantResult result;
  result.outcome.emplace();
  return result;
}

VariantResult failed(bool has_timed_out) {
  VariantResult result;
  result.report.verdict = Verdict::fail;
  result.report.has_timed_out = has_timed_out;
  result.report.reasons = {"took longer than 30 s"};
  return result;
}

VariantResult hung() {
  VariantResult result = failed(/*has_timed_out=*/true);
  result.report.hanging_component = "words";
  return result;
}

bool has_line(const TestReport& report, const std::string& line) {
  return std::find(report.reasons.begin(), report.reasons.end(), line) != report.reasons.end();
}

}  // namespace

TEST_CASE("a change that takes too long is left out, and is no failure") {
  VariantRow row("variants.parameters", {10, 10, hours}, "");
  REQUIRE(row.takes_another());
  row.add(change("features.order = 1"), passed());
  REQUIRE(row.takes_another());
  row.add(change("features.order = 9"), failed(/*has_timed_out=*/true));
  CHECK(row.takes_another());
  const TestReport report = row.finished();
  CHECK(report.verdict == Verdict::pass);
  CHECK(has_line(report, "left out, because of the time limit (--time-limit): features.order = 9"));
}

TEST_CASE("a change in which a call of a plugin does not end is a failure") {
  VariantRow row("variants.parameters", {10, 10, hours}, "");
  REQUIRE(row.takes_another());
  row.add(change("features.order = 9"), hung());
  CHECK_FALSE(row.takes_another());
  CHECK(has_line(row.finished(), "with features.order = 9:"));
  CHECK(row.finished().verdict == Verdict::fail);
}

TEST_CASE("the time of a slow change is not taken from the changes after it") {
  VariantRow row("variants.parameters", {10, 10, 0}, "");
  VariantResult slow = failed(/*has_timed_out=*/true);
  slow.report.seconds = hours;
  row.add(change("features.order = 9"), slow);
  CHECK(row.takes_another());
  CHECK(row.takes_step());
}

TEST_CASE("what a row leaves out is a limit of the check") {
  VariantRow row("variants.parameters", {1, 10, hours}, "");
  CHECK(row.limits().empty());
  row.add(change("features.order = 9"), failed(/*has_timed_out=*/true));
  CHECK_FALSE(row.takes_another());
  row.add_open_limit("features.order");
  const std::vector<std::string> limits = row.limits();
  REQUIRE(limits.size() == 3);
  CHECK(limits[0].starts_with("cannot show: a fault with features.order = 9, because its tests"));
  CHECK(limits[1].starts_with(
      "cannot show: a fault where a truth is exactly at the limit features.order, because the"));
  CHECK(limits[2].starts_with("cannot show: a fault with 1 change of variants.parameters, which"));
}

TEST_CASE("a change with a fault ends the row") {
  VariantRow row("variants.parameters", {10, 10, hours}, "");
  REQUIRE(row.takes_another());
  row.add(change("features.order = 9"), failed(/*has_timed_out=*/false));
  CHECK_FALSE(row.takes_another());
  CHECK(row.finished().verdict == Verdict::fail);
}

TEST_CASE("the number of changes and of steps is limited by counts, whatever the speed") {
  VariantRow row("variants.parameters", {2, 3, hours}, "");
  for (const char* title : {"a = 1", "a = 2"}) {
    REQUIRE(row.takes_another());
    row.add(change(title), passed());
  }
  CHECK_FALSE(row.takes_another());
  for (int step = 0; step < 3; ++step) CHECK(row.takes_step());
  CHECK_FALSE(row.takes_step());
  row.add_open_limit("a");
  const TestReport report = row.finished();
  CHECK(has_line(report, "tried: a = 1, 2"));
  CHECK(has_line(report, "stopped before 1 change; a higher --level makes more"));
  CHECK(has_line(report,
                 "not found, because it takes too long: the smallest value that allows every truth "
                 "of a"));
}

TEST_CASE("the first change is made even if there is no time") {
  VariantRow row("variants.data", {10, 10, 0}, "");
  CHECK_FALSE(row.takes_step());
  REQUIRE(row.takes_another());
  row.add(change("longer examples"), passed());
  CHECK_FALSE(row.takes_another());
  CHECK(has_line(row.finished(),
                 "stopped before 1 change because the time was over; a larger --time-limit allows "
                 "more"));
}

TEST_CASE("a change that is left out for a reason has a line with it") {
  VariantRow row("variants.losses", {10, 10, hours}, "nothing fits");
  row.leave_out("loss = zero_one, because the loss itself is at fault: it is 0.5");
  const TestReport report = row.finished();
  CHECK(report.verdict == Verdict::skip);
  CHECK(has_line(report,
                 "left out: loss = zero_one, because the loss itself is at fault: it is 0.5"));
}
