// Values whose products overflow or underflow. They are refused with their place, or training works
// with them. No plugin is reported as faulty.

#include <doctest/doctest.h>

#include <cmath>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Writes a table of two classes and an experiment on it.
void write_table(const Scratch& scratch, const std::string& rows,
                 const std::string& more_of_dataset = "") {
  scratch.write("train.txt", rows);
  scratch.write("table.json",
                R"({"dataset": {"use": "svmlight", "train": "train.txt")" + more_of_dataset + R"(},
      "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate",
      "solver": {"use": "n_slack", "C": 1}})");
}

const std::string four_rows = "1 1:2 2:1\n2 1:1 2:3\n1 1:3 2:2\n2 1:1 2:4\n";
const std::string denormal = "1 1:1e-310 2:1\n2 1:2e-310 2:3\n1 1:1e-310 2:2\n2 1:3e-310 2:0.5\n";

Outcome train_table(const Scratch& scratch, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"train", "table.json", "--output", "run", "--force"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

}  // namespace

TEST_CASE("predict and evaluate refuse a value above 1e100 with its file, line and column") {
  const Scratch scratch;
  write_table(scratch, four_rows);
  REQUIRE(train_table(scratch).exit == 0);
  for (const std::string value : {"1e308", "-1e300", "1.1e100"}) {
    scratch.write("new.txt", "1 1:2 2:1\n\n2 1:1 2:" + value + "\n");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"predict", "run", "new.txt"},
          {"predict", "run", "new.txt", "--scores"},
          {"evaluate", "run", "new.txt"},
          {"evaluate", "run", "new.txt", "--json"}}) {
      CAPTURE(value);
      CAPTURE(words[0]);
      const Outcome outcome = scratch.sculpt(words);
      INFO(outcome.err);
      CHECK(outcome.exit == 65);
      CHECK(outcome.out.empty());
      CHECK(contains(outcome.err, "svmlight: example 1: "));
      CHECK(contains(outcome.err, "new.txt:3: its features have magnitude "));
      CHECK(contains(outcome.err, " at feature 2; "));
      CHECK(contains(outcome.err, "correct it; a model reads features in the unit that it was "));
      CHECK_FALSE(contains(outcome.err, "enumerate"));
    }
  }
  scratch.write("new.txt", "1 1:2 2:1e100\n");
  CHECK(scratch.sculpt({"predict", "run", "new.txt"}).exit == 0);
}

TEST_CASE("train refuses a value above 1e100 in the split test before the first pass") {
  const Scratch scratch;
  write_table(scratch, four_rows, R"(, "test": "test.txt")");
  scratch.write("test.txt", "1 1:2 2:1\n2 1:1e300 2:1\n");
  const Outcome outcome = scratch.sculpt({"train", "table.json", "--output", "run"});
  check_refused(scratch, outcome, 65,
                {"test.txt:2: its features have magnitude 1e+300 at feature 1; "});
}

TEST_CASE("a value that overflows when a model scales it is refused with its file and line") {
  const Scratch scratch;
  write_table(scratch, denormal, R"(, "scaling": "max_abs")");
  REQUIRE(train_table(scratch).exit == 0);
  scratch.write("new.txt", "1 1:1e-310 2:1\n2 1:1 2:1\n");
  const Outcome outcome = scratch.sculpt({"predict", "run", "new.txt"});
  CHECK(outcome.exit == 65);
  CHECK(contains(outcome.err,
                 "new.txt:2: the value 1 of column 1 overflows when it is scaled (/ 3e-"));
}

TEST_CASE("check passes all components if columns are as small as 3e-310") {
  const Scratch scratch;
  write_table(scratch, denormal);
  const Outcome table = scratch.sculpt({"check", "table.json", "--time-limit", "5"});
  INFO(table.out);
  CHECK(table.exit == 0);
  std::string queries;
  for (int k = 0; k < 18; ++k) {
    queries += std::to_string(k * 5 % 3) + " qid:" + std::to_string(k / 6) +
               " 1:" + std::to_string(k % 7 + 1) + "e-311 2:" + std::to_string(k * 11 % 13) + "\n";
  }
  scratch.write("queries.txt", queries);
  scratch.write("ranking.json", R"({"dataset": {"use": "svmrank", "train": "queries.txt"},
      "features": "ranking", "loss": "pair_error", "oracle": "ranking",
      "solver": {"use": "n_slack", "C": 1}})");
  const Outcome ranking = scratch.sculpt({"check", "ranking.json", "--time-limit", "5"});
  INFO(ranking.out);
  CHECK(ranking.exit == 0);
}

TEST_CASE("train warns of a column of size 3e-310, and no longer with any scaling") {
  const Scratch scratch;
  write_table(scratch, denormal);
  const Outcome raw = train_table(scratch);
  CHECK(contains(raw.err, "differ in size by a factor of more than 1e+308; "));
  CHECK(contains(raw.err, "\"max_abs\""));
  for (const std::string scaling : {"max_abs", "standard", "standard_centred", "min_max"}) {
    CAPTURE(scaling);
    const Outcome scaled = train_table(scratch, {"--set", "dataset.scaling=" + scaling});
    INFO(scaled.err);
    CHECK(scaled.exit == 0);
    CHECK_FALSE(contains(scaled.err, "differ in size"));
    CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
    CHECK(scratch.sculpt({"predict", "run", "train.txt"}).exit == 0);
    const std::string described = scratch.sculpt({"describe", "run"}).out;
    INFO(described);
    CHECK(contains(described, "> 1.8e+308"));  // the weight for a unit of the data overflows
  }
}

TEST_CASE("an index that makes more weights than the limit is refused with its line") {
  const Scratch scratch;
  write_table(scratch, "1 1:1\n2 2:1\n3 1000000000:1\n");
  const Outcome outcome = scratch.sculpt({"train", "table.json", "--output", "run"});
  check_refused(scratch, outcome, 78,
                {"multiclass: has 3000000003 weights, ", "the limit is 2147483647 weights",
                 "train.txt:3: index 1000000000 is the largest", "Correct it if it is a mistake"});
}

TEST_CASE("a table with only zeros is refused with its file and the advice to set bias") {
  const Scratch scratch;
  write_table(scratch, "2\n1\n1\n");
  const Outcome outcome =
      scratch.sculpt({"train", "table.json", "--output", "run", "--set", "features.bias=false"});
  check_refused(scratch, outcome, 65,
                {"train.txt: every value is 0, so multiclass has no weights to learn; correct the "
                 "file, or set \"bias\": true in \"features\""});
}
