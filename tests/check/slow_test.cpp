// Plugins that are slow: what is right passes, what is wrong is still told as what it is.
#include <doctest/doctest.h>

#include "check/check_outcome.hpp"

using namespace sculpt::test;

// Without a budget the tests of 20 ms a call would take minutes: 4000 questions, 2500 graphs.
TEST_CASE("check: a slow oracle passes level 3, and is told how much was asked") {
  for (const char* name : {"slow", "slow_solver"}) {
    INFO(name);
    const CheckOutcome outcome =
        run_check({zoo_plugin(name), "--level", "3", "--time-limit", "1", "--only",
                   "oracle.every,oracle.exact,oracle.convex,map_solver.exact,sessions,state"});
    INFO(outcome.json.dump(2));
    CHECK(outcome.exit == 0);
    CHECK(outcome.json["failed"] == 0);
    CHECK(outcome.json["crashed"] == 0);
    const std::string said = outcome.test("oracle.exact")["reasons"].dump();
    CHECK(said.find(" questions, for want of time") != std::string::npos);
  }
}

// 108 questions of 20 ms: half of the limit would do for all.
TEST_CASE("check: level 1 is a quick look, which takes a small part of the limit") {
  const CheckOutcome outcome = run_check(
      {zoo_plugin("slow"), "--level", "1", "--time-limit", "8", "--only", "oracle.value"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  const Json asked = outcome.test("oracle.value");
  CHECK(asked["cases"] < 60);
  CHECK(asked["reasons"].dump().find(" questions, for want of time") != std::string::npos);
}

TEST_CASE("check: a slow oracle that is wrong gets its counter-example, not the time limit") {
  const CheckOutcome outcome = run_check({zoo_plugin("slow_wrong"), "--level", "3", "--time-limit",
                                          "4", "--only", "oracle.value,oracle.homogeneous"});
  for (const auto& [test, text] :
       {std::pair{"oracle.value", "(1 apart)"}, {"oracle.homogeneous", "is not 2 H(u, l)"}}) {
    const Json found = outcome.test(test);
    CHECK(found["verdict"] == "fail");
    CHECK(found["reasons"].dump().find(text) != std::string::npos);
  }
}

TEST_CASE("check: of many examples a slow oracle is asked about some, from all over the data") {
  const Scratch scratch;
  const auto experiment = [&](const std::string& zoo) {
    return run_check({write_tagger(scratch, zoo, "a:1", 400), "--level", "3", "--time-limit", "2",
                      "--only", "oracle.every"})
        .test("oracle.every");
  };
  const Json slow = experiment("slow");
  CHECK(slow["verdict"] == "pass");
  CHECK(slow["cases"] < 100);
  CHECK(slow["reasons"].dump().find(" of 400 examples, for want of time") != std::string::npos);
  CHECK(experiment("slow_late")["verdict"] == "fail");  // wrong from example 200 on
  CHECK(experiment("right")["cases"] == 400);
}
