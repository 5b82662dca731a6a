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
  REQUIRE(row.takes_another("x = 1"));
  row.add(change("features.order = 1"), passed());
  REQUIRE(row.takes_another("x = 1"));
  row.add(change("features.order = 9"), failed(/*has_timed_out=*/true));
  CHECK(row.takes_another("x = 1"));
  const TestReport report = row.finished();
  CHECK(report.verdict == Verdict::pass);
  CHECK(has_line(report, "left out, because of the time limit (--time-limit): features.order = 9"));
}

TEST_CASE("a change in which a call of a plugin does not end is a failure") {
  VariantRow row("variants.parameters", {10, 10, hours}, "");
  REQUIRE(row.takes_another("x = 1"));
  row.add(change("features.order = 9"), hung());
  CHECK_FALSE(row.takes_another("x = 1"));
  CHECK(has_line(row.finished(), "with features.order = 9:"));
  CHECK(row.finished().verdict == Verdict::fail);
}

TEST_CASE("the time of a slow change is not taken from the changes after it") {
  VariantRow row("variants.parameters", {10, 10, 0}, "");
  VariantResult slow = failed(/*has_timed_out=*/true);
  slow.report.seconds = hours;
  row.add(change("features.order = 9"), slow);
  CHECK(row.takes_another("x = 1"));
  CHECK(row.takes_step());
}

TEST_CASE("the time of a third slow change counts, so that a row ends") {
  VariantRow row("variants.parameters", {10, 10, 0}, "");
  VariantResult slow = failed(/*has_timed_out=*/true);
  row.add(change("features.order = 7"), slow);
  row.add(change("features.order = 8"), slow);
  slow.report.seconds = hours;
  row.add(change("features.order = 9"), slow);
  CHECK_FALSE(row.takes_another("x = 1"));
  CHECK_FALSE(row.takes_step());
}

TEST_CASE("what a row leaves out is a limit of the check") {
  VariantRow row("variants.parameters", {1, 10, hours}, "");
  CHECK(row.limits().empty());
  row.add(change("features.order = 9"), failed(/*has_timed_out=*/true));
  CHECK_FALSE(row.takes_another("x = 1"));
  row.add_open_limit("features.order");
  const std::vector<std::string> limits = row.limits();
  REQUIRE(limits.size() == 3);
  CHECK(limits[0].starts_with("cannot show: a fault with features.order = 9, because its tests"));
  CHECK(limits[1].starts_with(
      "cannot show: a fault where a truth is exactly at the limit features.order, because the"));
  CHECK(limits[2].starts_with("cannot show: a fault with x = 1, because the level has no more"));
  CHECK(row.has_left_out());
}

TEST_CASE("a change with a fault ends the row") {
  VariantRow row("variants.parameters", {10, 10, hours}, "");
  REQUIRE(row.takes_another("x = 1"));
  row.add(change("features.order = 9"), failed(/*has_timed_out=*/false));
  CHECK_FALSE(row.takes_another("x = 1"));
  CHECK(row.finished().verdict == Verdict::fail);
}

TEST_CASE("the number of changes and of steps is limited by counts, whatever the speed") {
  VariantRow row("variants.parameters", {2, 3, hours}, "");
  for (const char* title : {"a = 1", "a = 2"}) {
    REQUIRE(row.takes_another("x = 1"));
    row.add(change(title), passed());
  }
  CHECK_FALSE(row.takes_another("x = 1"));
  for (int step = 0; step < 3; ++step) CHECK(row.takes_step());
  CHECK_FALSE(row.takes_step());
  row.add_open_limit("a");
  const TestReport report = row.finished();
  CHECK(has_line(report, "tried: a = 1, 2"));
  CHECK(has_line(report, "stopped before 1 change; a higher --level makes more: x = 1"));
  CHECK(has_line(report, "not found: the value with a truth exactly at the limit of a"));
}

TEST_CASE("the first change is made even if there is no time") {
  VariantRow row("variants.data", {10, 10, 0}, "");
  CHECK_FALSE(row.takes_step());
  REQUIRE(row.takes_another("x = 1"));
  row.add(change("longer examples"), passed());
  CHECK_FALSE(row.takes_another("x = 1"));
  CHECK(has_line(row.finished(),
                 "stopped before 1 change because the time was over; a larger --time-limit allows "
                 "more: x = 1"));
}

TEST_CASE("a change that is left out for a reason has a line with it") {
  VariantRow row("variants.losses", {10, 10, hours}, "nothing fits");
  row.leave_out("loss = zero_one, because the loss itself is at fault: it is 0.5");
  const TestReport report = row.finished();
  CHECK(report.verdict == Verdict::skip);
  CHECK(has_line(report,
                 "left out: loss = zero_one, because the loss itself is at fault: it is 0.5"));
  REQUIRE(row.limits().size() == 1);
  CHECK(
      row.limits()[0] ==
      "cannot show: a fault with loss = zero_one, because the loss itself is at fault: it is 0.5; "
      "check its library first");
}

TEST_CASE("every change that is left out is named, of many the first ones") {
  VariantRow row("variants.losses", {1, 10, hours}, "");
  row.add(change("loss = zero_one"), passed());
  for (int k = 0; k < 23; ++k) CHECK_FALSE(row.takes_another("order = " + std::to_string(k)));
  const std::vector<std::string> limits = row.limits();
  REQUIRE(limits.size() == 1);
  CHECK(limits[0].find("a fault with order = 0, 1, 2") != std::string::npos);
  CHECK(limits[0].find(", 19 and 3 more, because") != std::string::npos);
}

TEST_CASE("a limit whose two searches were stopped is named once") {
  VariantRow row("variants.parameters", {10, 10, hours}, "");
  row.add_open_limit("order");
  row.add_open_limit("order");
  CHECK(row.limits().size() == 1);
}
