// sculpt check finds states that lack something learned in training, and predict says what is known
// about them.
#include <doctest/doctest.h>

#include "check/check_found.hpp"

using namespace sculpt::test;

TEST_CASE("check: states that lack something learned in training are found") {
  for (const Expected& expected : states) {
    check_found(expected);
    const CheckOutcome others =
        run_check({mutant_library(expected.plugin), "--only", "state.save,state.predictions"});
    CHECK(others.exit == 0);
  }
  for (const char* correct : {"month_correct", "weather_correct", "weather_with_heading",
                              "weather_with_heading_of_blocks"}) {
    const CheckOutcome outcome = run_check({mutant_library(correct), "--only", "state"});
    INFO(outcome.json.dump(2));
    CHECK(outcome.exit == 0);
    CHECK(outcome.test("state.width")["verdict"] == "pass");
    CHECK(outcome.test("state.width")["cases"] > 10);
  }
}

TEST_CASE("check: damaged states that are not refused are found") {
  for (const Expected& expected : damages) check_found(expected);
  for (const char* correct : {"correct", "month_correct", "weather_correct"}) {
    const CheckOutcome outcome = run_check({mutant_library(correct), "--only", "state.damage"});
    INFO(outcome.json.dump(2));
    CHECK(outcome.test("state.damage")["verdict"] == "pass");
    CHECK(outcome.test("state.damage")["cases"] > 20);
  }
}

#ifndef SCULPT_TEST_SANITIZED  // sanitizers fill memory that is not set with the same bytes
TEST_CASE("check: after restore, memory that is read but was never set is found") {
  check_found({"weather_reads_unset", "state.width", "fail", "they read memory that they never"});
}
#endif

TEST_CASE("check: a refusal of other data without a place is a warning") {
  const CheckOutcome outcome =
      run_check({mutant_library("weather_without_place"), "--only", "state.width"});
  CHECK(outcome.exit == 0);
  const Json found = outcome.test("state.width");
  CHECK(found["verdict"] == "warn");
  CHECK(found["reasons"].dump().find("without a place, such as path:line: weather: has unknown") !=
        std::string::npos);
}

TEST_CASE("predict: if the state lacks a width, the message names the features and sculpt check") {
  const Scratch scratch;
  scratch.write("days.txt", "1 9.4 0.1\n3 11.2 3.3\n6 15.9 16\n7 15.6 18\n10 10.8 9\n12 8.4 1\n");
  scratch.write("wide.txt", "1 9.4 0.1 5\n3 11.2 3.3 4\n");
  scratch.write("month.json", R"({
    "dataset": {"use": "month", "train": "days.txt"}, "features": "month", "loss": "month",
    "oracle": "month", "solver": {"use": "n_slack", "C": 1},
    "plugin_path": [")" + std::string(SCULPT_FAULTY_PLUGINS) +
                                  R"(/month_without_width"]})");
  REQUIRE(scratch.sculpt({"train", "month.json", "--output", "run"}).exit == 0);
  const std::map<std::string, std::string> path = {
      {"SCULPT_PLUGIN_PATH", std::string(SCULPT_FAULTY_PLUGINS) + "/month_without_width"}};
  CHECK(scratch.sculpt({"predict", "run", "days.txt"}, path).exit == 0);
  check_refused(scratch, scratch.sculpt({"predict", "run", "wide.txt"}, path), 65,
                {"model.sculpt: has 6 weights, but its features, month, have 8",
                 "The state of a component may lack something learned in training",
                 "run `sculpt check` on the experiment"});
}
