// A whole file of rows as one example (svmlight_set), from training to prediction.

#include <doctest/doctest.h>

#include <algorithm>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string set_of_rows =
    "+1 1:1\n-1 2:1\n+1 1:1 2:1\n-1 3:1\n-1 1:1 3:1\n+1 3:-1\n-1 2:2\n+1 1:2\n";

Outcome train_set(const Scratch& scratch, const std::string& text, const std::string& loss,
                  const std::vector<std::string>& more = {}) {
  scratch.write("rows.txt", text);
  scratch.write("set.json", R"({
  "dataset": {"use": "svmlight_set", "train": "rows.txt"}, "features": "contingency",
  "loss": )" + loss + R"(,
  "oracle": "contingency", "solver": {"use": "one_slack", "C": 100}})");
  std::vector<std::string> words{"train", "set.json"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

}  // namespace

TEST_CASE("a set of rows: training is certified, and predict prints a line for each row") {
  const Scratch scratch;
  const Outcome outcome = train_set(scratch, set_of_rows, R"("f_beta")", {"--output", "run"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json end = scratch.finished("run");
  CHECK(end["certified"] == true);
  CHECK(end["train"]["examples"] == 1);
  CHECK(end["train"]["f1"].get<double>() == doctest::Approx(1));
  CHECK(end["train"]["roc_area"].get<double>() == doctest::Approx(1));
  scratch.write("new.txt", "1:3\n2:3\n1:1\n");
  const Outcome predicted = scratch.sculpt({"predict", "run", "new.txt"});
  INFO(predicted.err);
  REQUIRE(predicted.exit == 0);
  CHECK(predicted.out == "+1 1\n-1 3\n+1 2\n");
}

TEST_CASE("a set of rows gives the same model on one thread and on two") {
  const Scratch scratch;
  std::string many;
  for (int row = 0; row < 20000; ++row) {
    many += (row % 3 == 0 ? "+1 1:" : "-1 1:") + std::to_string(row % 7) +
            " 2:" + std::to_string((row * 31) % 11) + "\n";
  }
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome =
        train_set(scratch, many, R"("f_beta")",
                  {"--threads", threads, "--output", std::string("run") + threads, "--set",
                   "solver.relative_gap=0.1"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
  }
  CHECK(scratch.read("run1/model.sculpt") == scratch.read("run2/model.sculpt"));
}

TEST_CASE("a file of rows is split into as many sets as there are folds") {
  const Scratch scratch;
  train_set(scratch, set_of_rows, R"("error_rate")", {"--output", "run"});
  const Outcome outcome =
      scratch.sculpt({"sweep", "set.json", "--output", "sweep", "--set", "dataset.sets=4",
                      "--folds", "4", "--set", "solver.C=1,100"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json table = Json::parse(scratch.read("sweep/sweep.json"));
  REQUIRE(table.size() == 2);
  CHECK(table[0]["validation"].contains("f1"));
  check_refused(scratch,
                scratch.sculpt({"sweep", "set.json", "--output", "one", "--folds", "4", "--set",
                                "solver.C=1,100"}),
                78, {"there is 1 example; that is too few for 4 folds", "svmlight_set: `sets`"});
}

TEST_CASE(
    "slack rescaling with more pairs of counts than max_cells uses a search, and P is bounded") {
  const Scratch scratch;
  std::string text;
  for (int row = 0; row < 40; ++row) {
    const int sign = row % 4 == 0 ? 1 : -1;
    text += (sign > 0 ? "+1 1:" : "-1 1:") +
            std::to_string((12 * sign + row * row * 61 % 101 - 50) / 25.0) +
            " 2:" + std::to_string((row * row * 29 % 97 - 48) / 25.0) + " 3:1\n";
  }
  scratch.write("test.txt", text + text);  // its rows do not matter
  const auto end_of = [&](const std::string& max_cells, int exit) {
    const Outcome outcome = train_set(
        scratch, text, R"("f_beta")",
        {"--output", "run", "--force", "--set", "solver.rescaling=slack", "--set", "solver.C=10",
         "--set", R"(oracle={"use": "contingency", "max_cells": )" + max_cells + "}"});
    INFO(outcome.err);
    CHECK(outcome.exit == exit);
    return scratch.finished("run");
  };
  const Json exact = end_of("451", 0);  // (10 + 1) (40 + 1)
  const Json searched = end_of("450", 3);
  CHECK(searched["stopped_by"] == "oracle_exhausted");
  CHECK(searched["certified"] == true);
  const double room = 1e-9 * exact["primal"].get<double>();
  CHECK(searched["dual"].get<double>() <= exact["primal"].get<double>() + room);
  CHECK(searched["primal_high"].get<double>() >= exact["dual"].get<double>() - room);
  CHECK(searched["relative_gap"].get<double>() < 0.01);
}

TEST_CASE("sets of one row each are trained on with a hint") {
  const Scratch scratch;
  const std::string hint =
      "is a set of one row; to read a file as one set, use the dataset svmlight_set";
  const Outcome alone =
      train_set(scratch, set_of_rows, R"("error_rate")", {"--set", "dataset.use=svmlight"});
  INFO(alone.err);
  CHECK(alone.exit == 0);
  CHECK(alone.err.find(hint) != std::string::npos);
  CHECK(train_set(scratch, set_of_rows, R"("error_rate")").err.find(hint) == std::string::npos);
}

TEST_CASE("train warns of a k above the number of rows of a test set, and counts all rows") {
  const Scratch scratch;
  scratch.write("test.txt", "1 1:1\n-1 2:1\n1 1:1 2:3\n");
  const Outcome outcome = train_set(scratch, set_of_rows, R"({"use": "recall_at", "k": 6})",
                                    {"--output", "run", "--set", "dataset.test=test.txt"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.err.find("example 1 (test): k is 6, but the set has 3 rows; all of them count") !=
        std::string::npos);
  CHECK(scratch.finished("run")["test"]["examples"] == 1);
}

TEST_CASE("sets that cannot be trained on are refused with their place and the remedy") {
  const Scratch scratch;
  check_refused(scratch, train_set(scratch, set_of_rows, R"({"use": "precision_at", "k": 9})"), 78,
                {"set.json:3:", "example 0 (train): k is 9, but the set has 8 rows; lower k"});
  check_refused(scratch,
                train_set(scratch, set_of_rows, R"("f1")",
                          {"--set", R"(oracle={"use": "contingency", "max_cells": 8})"}),
                78, {"pairs of counts are more than max_cells; raise max_cells"});
  check_refused(scratch, train_set(scratch, set_of_rows, R"("roc_area")"), 78,
                {"set.json:4:", "set features.output to order"});
  check_refused(scratch, train_set(scratch, "+1 1:1\n+1 2:1\n", R"("f_beta")"), 65,
                {"rows.txt:1:1: all rows have the label +1, so there is nothing to learn"});
  check_refused(scratch, train_set(scratch, "+1 1:1\n-1 2:1\n3:1\n", R"("f_beta")"), 65,
                {"rows.txt:3:1: this row has no label, but the first row has one"});
  check_refused(scratch,
                train_set(scratch, "1 1:1\n2 2:1\n3 1:1\n", R"("f_beta")",
                          {"--set", "dataset.positive=[3, 70]"}),
                65, {"rows.txt:1:1: no row has the label 70 of `positive`"});
  scratch.write("test.txt", "-1 1:1\n-1 2:1\n");
  check_refused(scratch,
                train_set(scratch, set_of_rows, R"("roc_area")",
                          {"--set", "features.output=order", "--set", "dataset.test=test.txt"}),
                65, {"example 1 (test): the set has no positive rows", "remove the set"});
}

TEST_CASE("a sweep over `dataset.positive` trains each topic of one file of several topics a row") {
  const Scratch scratch;
  scratch.write("rows.txt",
                "18,50 1:1 3:.5\n50 2:1\n18 1:2\n- 2:.5 3:1\nacq,50 2:2 4:1\nacq 4:2\n");
  scratch.write("set.json", R"({
  "dataset": {"use": "svmlight_set", "train": "rows.txt", "positive": ["18"]},
  "features": {"use": "contingency", "bias": true}, "loss": "f_beta",
  "oracle": "contingency", "solver": {"use": "one_slack", "C": 100}})");
  const Outcome outcome =
      scratch.sculpt({"sweep", "set.json", "--output", "sweep", "--set",
                      R"(dataset.positive=18,acq,["18","acq"])", "--set", "solver.C=100"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json table = Json::parse(scratch.read("sweep/sweep.json"));
  REQUIRE(table.size() == 3);
  CHECK(table[0]["settings"][0] == "dataset.positive=18");
  CHECK(table[1]["settings"][0] == "dataset.positive=acq");
  // Each topic is another problem: alone, its model is that of the sweep.
  const Outcome alone = scratch.sculpt({"train", "set.json", "--output", "alone", "--set",
                                        "dataset.positive=acq", "--set", "solver.C=100"});
  REQUIRE(alone.exit == 0);
  CHECK(scratch.finished("alone")["primal"].get<double>() ==
        doctest::Approx(table[1]["primal"]["mean"].get<double>()).epsilon(1e-2));
  scratch.write("new.txt", "1:2\n2:1\n4:2\n");
  CHECK(scratch.sculpt({"predict", "alone", "new.txt"}).out == "-1 3\n-1 2\n+1 1\n");
}
