// sculpt check of slow plugins: correct ones pass, wrong ones still get a counter-example.
#include <doctest/doctest.h>

#include "check/check_outcome.hpp"

using namespace sculpt::test;

// At 20 ms a call, all 4000 queries and 2500 graphs would take minutes. So tests stop early.
TEST_CASE("check: a slow oracle passes level 3, and the report has the number of queries") {
  for (const char* name : {"slow", "slow_solver"}) {
    INFO(name);
    const CheckOutcome outcome =
        run_check({mutant_library(name), "--level", "3", "--time-limit", "1", "--only",
                   "oracle.every,oracle.exact,oracle.convex,map_solver.exact,sessions,state"});
    INFO(outcome.json.dump(2));
    CHECK(outcome.exit == 0);
    CHECK(outcome.json["failed"] == 0);
    CHECK(outcome.json["crashed"] == 0);
    const std::string reasons = outcome.test("oracle.exact")["reasons"].dump();
    CHECK(reasons.find(" queries because the time was over") != std::string::npos);
  }
}

TEST_CASE("check: a slow oracle passes all tests of the oracle") {
  const CheckOutcome outcome = run_check({mutant_library("slow"), "--level", "3", "--time-limit",
                                          "1", "--only", "oracle,frontier,cut"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(outcome.test("oracle.equal_size")["verdict"] == "pass");
}

// At 20 ms a query, one set of batches would take longer than the limit.
TEST_CASE("check: an oracle with slow batches passes, and the report has the number of queries") {
  const CheckOutcome outcome = run_check({mutant_library("batch_slow"), "--level", "3",
                                          "--time-limit", "1", "--only", "oracle.batch"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  const Json report = outcome.test("oracle.batch");
  CHECK(report["verdict"] == "pass");
  CHECK(report["cases"] >= 2);
  CHECK(report["reasons"].dump().find(" queries because the time was over") != std::string::npos);
}

// A word of 7 letters has 3^7 outputs, which take 44 s to list. One of 9 has 19683.
TEST_CASE("check: oracle.large says whether the time or the number of outputs is the reason") {
  const Scratch scratch;
  const auto reasons = [&](const std::string& mutant, const std::string& line, const char* level) {
    const Json report = run_check({write_tagger(scratch, mutant, line, 1), "--level", level,
                                   "--time-limit", "2", "--only", "oracle.large"})
                            .test("oracle.large");
    CHECK(report["verdict"] == "skip");
    return report["reasons"].dump();
  };
  CHECK(reasons("slow_features", "a:1 b:1 c:1 a:1 b:1 c:1 a:1", "3")
            .find("there was no time to list") != std::string::npos);
  CHECK(reasons("correct", "a:1 b:1 c:1 a:1 b:1 c:1 a:1 b:1 c:1", "1")
            .find("but at most 5000 that can be listed") != std::string::npos);
}

// The lists of outputs must leave time for the test itself.
TEST_CASE("check: a slow loss and slow features pass") {
  for (const char* name : {"slow_loss", "slow_features"}) {
    const CheckOutcome outcome =
        run_check({mutant_library(name), "--level", "3", "--time-limit", "2", "--only",
                   "dataset,loss,features,oracle.exact,oracle.bound,oracle.large"});
    INFO(outcome.json.dump(2));
    CHECK(outcome.exit == 0);
    CHECK(outcome.test("loss.values")["cases"] >= 5);
    CHECK(outcome.test("features.same")["cases"] >= 5);
    CHECK(outcome.test("oracle.exact")["cases"] >= 2);
  }
}

// All 108 queries would take 2.2 s. Other levels may use half of the limit, which is 4 s.
TEST_CASE("check: level 1 uses only a small part of the time limit") {
  const CheckOutcome outcome = run_check(
      {mutant_library("slow"), "--level", "1", "--time-limit", "8", "--only", "oracle.value"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  const Json report = outcome.test("oracle.value");
  CHECK(report["cases"] < 60);
  CHECK(report["reasons"].dump().find(" queries because the time was over") != std::string::npos);
}

TEST_CASE("check: a slow wrong oracle gets its counter-example before the time limit") {
  const CheckOutcome outcome =
      run_check({mutant_library("slow_wrong"), "--level", "3", "--time-limit", "4", "--only",
                 "oracle.value,oracle.homogeneous"});
  for (const auto& [test, text] :
       {std::pair{"oracle.value", "(1 apart)"}, {"oracle.homogeneous", "is not 2 H(u, l)"}}) {
    const Json found = outcome.test(test);
    CHECK(found["verdict"] == "fail");
    CHECK(found["reasons"].dump().find(text) != std::string::npos);
  }
}

TEST_CASE("check: a slow oracle is tested on some examples, spread over the data") {
  const Scratch scratch;
  const auto report = [&](const std::string& mutant) {
    return run_check({write_tagger(scratch, mutant, "a:1", 400), "--level", "3", "--time-limit",
                      "2", "--only", "oracle.every"})
        .test("oracle.every");
  };
  const Json slow = report("slow");
  CHECK(slow["verdict"] == "pass");
  CHECK(slow["cases"] < 100);
  const std::string reasons = slow["reasons"].dump();
  CHECK(reasons.find(" of 400 examples because the time was over") != std::string::npos);
  CHECK(report("slow_wrong_from_200")["verdict"] == "fail");
  CHECK(report("correct")["cases"] == 400);
}
