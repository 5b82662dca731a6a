// sculpt check finds extensions that a component must not answer or declare.
#include <doctest/doctest.h>

#include "check/check_found.hpp"

using namespace sculpt::test;

TEST_CASE("check: extensions that are not declared, or of another kind, are found") {
  for (const Expected& expected : extensions) check_found(expected);
}

TEST_CASE("check: wrong sites, parts, metrics, names, bounds, groups and enumerations are found") {
  for (const Expected& expected : offers) check_found(expected);
  const CheckOutcome correct = run_check({mutant_library("offers_nothing"), "--strict"});
  INFO(correct.json.dump(2));
  CHECK(correct.exit == 0);
  CHECK(run_check({mutant_library("offers_site_other_outputs"), "--level", "1"}).exit == 0);
  const Json repeated =
      run_check({mutant_library("offers_names_repeat"), "--only", "features.names"})
          .test("features.names");
  CHECK(repeated["verdict"] == "warn");
  CHECK(repeated["reasons"].dump().find("the weights 3 and 4 have the same name") !=
        std::string::npos);
}

TEST_CASE("check: wrong places, scales, parts, merged states and rows in memory are found") {
  for (const Expected& expected : rows) check_found(expected);
  const CheckOutcome correct = run_check({mutant_library("rows_correct"), "--strict"});
  INFO(correct.json.dump(2));
  CHECK(correct.exit == 0);
  for (const char* test : {"dataset.place", "dataset.width", "dataset.scales", "dataset.parts",
                           "state.merge", "dataset.memory"}) {
    CHECK(correct.test(test)["verdict"] == "pass");
    CHECK(correct.test(test)["cases"] > 0);
  }
}

TEST_CASE("check: witnesses that do not prove what their answers claim are found") {
  for (const Expected& expected : witnesses) check_found(expected);
  const Json proved =
      run_check({mutant_library("proof_correct"), "--level", "1"}).test("map_witness.bound");
  CHECK(proved["verdict"] == "pass");
  CHECK(proved["reasons"].empty());  // every witness is verified
  const Json unverified =
      run_check({mutant_library("tagger_proof_correct"), "--level", "1"}).test("witness.bound");
  CHECK(unverified["verdict"] == "pass");
  CHECK(unverified["reasons"].dump().find("of the kind") != std::string::npos);
}

TEST_CASE("check: extensions that no experiment uses are named, but are no failure") {
  const CheckOutcome outcome = run_check({mutant_library("extension_unanswered"), "--level", "1"});
  CHECK(outcome.exit == 0);
  REQUIRE(outcome.json["unanswered_extensions"].size() == 1);
  const std::string entry = outcome.json["unanswered_extensions"][0];
  CHECK(entry.starts_with("features multiclass: sculpt.scores/"));
  const Scratch scratch;
  const std::vector<std::string> words = {"check", mutant_library("extension_unanswered"),
                                          "--level", "1"};
  CHECK(scratch.sculpt(words).out.find("no component of an experiment offered them") !=
        std::string::npos);
  CHECK_FALSE(run_check({mutant_library("correct"), "--level", "1"})
                  .json.contains("unanswered_extensions"));
}

TEST_CASE("check: a declared id of the project that does not exist is a warning") {
  const CheckOutcome outcome = run_check({mutant_library("extension_misspelt"), "--level", "1"});
  CHECK(outcome.exit == 0);
  const Json found = outcome.test("library.extensions");
  CHECK(found["verdict"] == "warn");
  CHECK(found["reasons"].dump().find(
            R"(declares \"sculpt.stats/1\", which this sculpt does not know; did you mean)") !=
        std::string::npos);
}

TEST_CASE("check: a task may declare an extension of one of its parts") {
  const CheckOutcome outcome = run_check({mutant_library("task_with_groups"), "--level", "1"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
}
