// Splits that are arrays: refused where no program lends them, and written in the experiment.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

std::string experiment(const std::string& train) {
  return "{\"dataset\": {\"use\": \"arrays\",\n  \"train\": " + train +
         "},\n \"features\": \"multiclass\", \"loss\": \"zero_one\", \"oracle\": \"enumerate\",\n "
         "\"solver\": {\"use\": \"n_slack\", \"C\": 1}}\n";
}

std::string arrays(const std::string& last_value) {
  return R"({"arrays": {"state_count": 2, "state_name": ["no", "yes"], "feature_count": 2,
    "value": [1, 0.5, -1, 2, 1, 1, 0.5, )" +
         last_value + R"(], "label": [1, 0, 1, 0]}})";
}

}  // namespace

TEST_CASE("the program lends no arrays: a split that names some is refused, and nothing is made") {
  const Scratch scratch;
  scratch.write("x.json", experiment(R"({"memory": "digits"})"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"train", "x.json", "--output", "run"},
        std::vector<std::string>{"check", "x.json"},
        std::vector<std::string>{"sweep", "x.json", "--output", "run", "--set", "solver.C=1,2"}}) {
    CAPTURE(words[0]);
    const Outcome outcome = scratch.sculpt(words);
    CHECK(outcome.exit == 78);
    CHECK(contains(outcome.err,
                   "x.json:2:23: \"train\" of the dataset is arrays in memory, "
                   "\"digits\", that a program lends"));
    CHECK_FALSE(fs::exists(scratch / "run"));
  }
}

TEST_CASE("arrays in the experiment train, verify, and continue, and changed arrays are refused") {
  const Scratch scratch;
  scratch.write("x.json", experiment(arrays("2")));
  REQUIRE(scratch.sculpt({"train", "x.json", "--output", "run"}).exit == 0);
  CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
  const Outcome resumed = scratch.sculpt({"train", "x.json", "--output", "run", "--resume"});
  CHECK(resumed.exit == 0);
  const std::string model = scratch.read("run/model.sculpt");
  REQUIRE(scratch.sculpt({"train", "run/config.json", "--output", "again"}).exit == 0);
  CHECK(scratch.read("again/model.sculpt") == model);
  scratch.write("x.json", experiment(arrays("3")));
  const Outcome changed = scratch.sculpt({"train", "x.json", "--output", "run", "--resume"});
  CHECK(changed.exit == 65);
  INFO(changed.err);
  CHECK(contains(changed.err, "the data of train have the hash"));
  CHECK(scratch.read("run/model.sculpt") == model);
}

TEST_CASE("a model of arrays has no file to predict, and says so") {
  const Scratch scratch;
  scratch.write("x.json", experiment(arrays("2")));
  scratch.write("rows.txt", "1 1:1\n");
  REQUIRE(scratch.sculpt({"train", "x.json", "--output", "run"}).exit == 0);
  const Outcome outcome = scratch.sculpt({"predict", "run", "rows.txt"});
  CHECK(outcome.exit == 78);
  CHECK(
      contains(outcome.err, "the dataset arrays reads no files, but arrays that a program lends"));
}
