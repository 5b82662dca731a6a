// Rows with labels that training does not have: dummy labels at predict, new classes in a test
// file.
#include <doctest/doctest.h>

#include <cmath>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string rows_experiment = R"({
    "dataset": {"use": "svmlight", "train": "train.txt"}, "features": "multiclass",
    "loss": "zero_one", "oracle": "viterbi", "solver": {"use": "n_slack", "C": 100}})";

void train_rows(const Scratch& scratch, const std::string& experiment, const std::string& rows) {
  scratch.write("train.txt", rows);
  scratch.write("x.json", experiment);
  const Outcome outcome = scratch.sculpt({"train", "x.json", "--output", "run"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
}

}  // namespace

TEST_CASE("`0 1:1`, a dummy label at predict, is refused with a remedy that works") {
  const Scratch scratch;
  train_rows(scratch, rows_experiment, "1 1:1\n2 2:1\n");
  scratch.write("new.txt", "0 1:1\n0 2:1\n");
  const Outcome refused = scratch.sculpt({"predict", "run", "new.txt"});
  CHECK(refused.exit == exit_data);
  CHECK(refused.err.find("new.txt:1:1: label 0 does not occur in the training data (1, 2)") !=
        std::string::npos);
  CHECK(refused.err.find("--set dataset.unseen_labels=wrong") != std::string::npos);
  for (const std::string choice : {"wrong", "free"}) {
    const Outcome outcome =
        scratch.sculpt({"predict", "run", "new.txt", "--set", "dataset.unseen_labels=" + choice});
    CHECK(outcome.exit == 0);
    CHECK(outcome.out == "1\n2\n");
  }
}

TEST_CASE("a new class in a test file is refused, counted as wrong, or not measured and told") {
  const Scratch scratch;
  train_rows(scratch, rows_experiment, "1 1:1\n2 2:1\n");
  scratch.write("new.txt", "1 1:1\n3 2:1\n2 2:1\n2 1:1\n");
  CHECK(scratch.sculpt({"evaluate", "run", "new.txt"}).exit == exit_data);
  const auto evaluated = [&](const std::string& choice) {
    const Outcome outcome = scratch.sculpt(
        {"evaluate", "run", "new.txt", "--json", "--set", "dataset.unseen_labels=" + choice});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    return Json::parse(outcome.out);
  };
  const Json wrong = evaluated("wrong");
  CHECK(wrong["error"] == 0.5);
  CHECK(wrong["loss"] == 0.5);
  CHECK(wrong["examples"] == 4);
  const Json free = evaluated("free");
  CHECK(free["error"].get<double>() == doctest::Approx(1 / 3.0));
  CHECK(free["unlabelled"] == 1);
}

TEST_CASE("a new class in a test file is no truth of a cost table, and costs the most") {
  const Scratch scratch;
  train_rows(scratch, R"({
    "dataset": {"use": "svmlight", "train": "train.txt"}, "features": "multiclass",
    "loss": {"use": "cost_table", "rows": ["1 2 5"]}, "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 100}})",
             "1 1:1\n2 2:1\n");
  scratch.write("new.txt", "1 1:1\n3 2:1\n");
  const Outcome outcome = scratch.sculpt(
      {"evaluate", "run", "new.txt", "--json", "--set", "dataset.unseen_labels=wrong"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(Json::parse(outcome.out)["error"] == 0.5);
  CHECK(Json::parse(outcome.out)["cost"] == 2.5);
}

TEST_CASE("a class of the test split that training does not have counts as wrong in the summary") {
  const Scratch scratch;
  scratch.write("train.txt", "1 1:1\n2 2:1\n");
  scratch.write("test.txt", "1 1:1\n9 2:1\n");
  Json experiment = Json::parse(rows_experiment);
  experiment["dataset"]["test"] = "test.txt";
  scratch.write("x.json", experiment.dump());
  const Outcome refused = scratch.sculpt({"train", "x.json", "--output", "run"});
  CHECK(refused.exit == exit_data);
  CHECK(refused.err.find("test.txt:2:1: label 9") != std::string::npos);
  const Outcome trained = scratch.sculpt(
      {"train", "x.json", "--output", "run", "--set", "dataset.unseen_labels=wrong"});
  INFO(trained.err);
  CHECK(trained.exit == 0);
}

// conll, svmlight, letters: the same warning, whatever reads the data.
TEST_CASE("one class only in the training data: w = 0 comes with a warning") {
  const auto warned = [](const std::string& experiment, const std::string& rows) {
    const Scratch scratch;
    scratch.write("train.txt", rows);
    scratch.write("x.json", experiment);
    const Outcome outcome = scratch.sculpt({"train", "x.json", "--output", "run"});
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    // Outputs of other kinds have another usual cause.
    CHECK_FALSE(contains(outcome.err, "one tree for each sentence"));
    return contains(outcome.err, "w = 0 is the solution") &&
           contains(outcome.err, "all examples have the same label");
  };
  CHECK(warned(rows_experiment, "1 1:1\n1 2:1\n"));
  CHECK_FALSE(warned(rows_experiment, "1 1:1\n2 2:1\n"));
  const std::string tags = R"({"dataset": {"use": "conll", "train": "train.txt"},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "SOLVER", "C": 1}})";
  for (const std::string solver : {"n_slack", "one_slack", "frank_wolfe", "crf"}) {
    std::string experiment = tags;
    experiment.replace(experiment.find("SOLVER"), 6, solver);
    CHECK(warned(experiment, "a A X\nb B X\n\nc A X\n"));
    CHECK_FALSE(warned(experiment, "a A X\nb B Y\n\nc A X\n"));
  }
}

TEST_CASE("labels of sets that count from 0 have their numbers in all that is printed") {
  const Scratch scratch;
  scratch.write("train.txt", "0,3 1:1\n1 2:1\n2,3 1:1 2:1\n0 1:2\n");
  const Outcome trained =
      scratch.sculpt({"train", "--task", "multilabel", "train.txt", "--output", "run"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  CHECK(contains(trained.err, "data: 4 positions, 4 labels on or off, 2 inputs"));
  REQUIRE(scratch.sculpt({"report", "run", "--output", "page.html"}).exit == 0);
  for (const std::string& text :
       {scratch.sculpt({"describe", "run", "--top", "100"}).out,
        scratch.sculpt({"describe", "run", "--json"}).out,
        scratch.sculpt({"explain", "run", "train.txt", "--top", "100"}).out,
        scratch.read("page.html")}) {
    INFO(text);
    CHECK((contains(text, "bias, label 0") || contains(text, "bias, label 3")));
    CHECK_FALSE(contains(text, "label 4"));
    CHECK_FALSE(contains(text, "and 4 on"));
  }
}

TEST_CASE("w = 0 for trees names a grammar without ambiguity as the usual cause") {
  const Scratch scratch;
  scratch.write("train.txt", "(S (NN a) (VB b))\n(S (NN c) (VB d))\n");
  const Outcome outcome =
      scratch.sculpt({"train", "--task", "parsing", "train.txt", "--output", "run"});
  INFO(outcome.err);
  CHECK(contains(outcome.err, "w = 0 is the solution"));
  CHECK(contains(outcome.err, "such as one tree for each sentence"));
  CHECK_FALSE(contains(outcome.err, "same label"));
}

namespace {

// The dual of a run on rows of three classes that overlap, with the last keys of the experiment.
double optimum(const Scratch& scratch, const std::string& loss, const std::string& rescaling,
               const std::string& dataset = "") {
  std::string rows;
  for (int i = 0; i < 30; ++i) {
    rows += std::to_string(1 + i % 3) + " 1:" + std::to_string(i * 7 % 5) +
            " 2:" + std::to_string(i * 3 % 7) + " 3:" + std::to_string(i % 3 == 0 ? 4 : i % 4) +
            "\n";
  }
  scratch.write("train.txt", rows);
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "train.txt")" + dataset +
                              R"(}, "features": "multiclass", "loss": )" + loss +
                              R"(, "oracle": "viterbi", "solver": {"use": "n_slack", "C": 5,
                              "relative_gap": 1e-6, "rescaling": ")" +
                              rescaling + R"("}})");
  const Outcome outcome = scratch.sculpt({"train", "x.json", "--output", "run", "--force"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  return scratch.finished("run")["primal"].get<double>();
}

}  // namespace

TEST_CASE("cost_table with slack rescaling has the weights of classes of LIBSVM's -w") {
  const Scratch scratch;
  const std::string table = R"({"use": "cost_table", "rows": ["1 * 5", "2 * 0.5", "3 * 1"]})";
  const std::string weights = R"(, "label_weights": ["1:5", "2:0.5"])";
  const double weighted = optimum(scratch, R"("zero_one")", "margin", weights);
  CHECK(optimum(scratch, table, "slack") == doctest::Approx(weighted).epsilon(1e-5));
  // Weights of margins are another problem; weighted_hamming has them as well.
  const double margins = optimum(scratch, table, "margin");
  CHECK(std::abs(margins - weighted) > 1e-3 * weighted);
  CHECK(optimum(scratch, R"({"use": "weighted_hamming", "label_costs": ["1:5", "2:0.5"]})",
                "margin") == doctest::Approx(margins).epsilon(1e-5));
}

TEST_CASE("cost_table with chain is refused with the losses that serve") {
  const Scratch scratch;
  scratch.write("train.txt", "a A X\nb B Y\n\nc A X\n");
  scratch.write("x.json", R"({
    "dataset": {"use": "conll", "train": "train.txt"}, "features": "chain",
    "loss": {"use": "cost_table", "rows": ["X Y 3"]}, "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 100}})");
  const Outcome outcome = scratch.sculpt({"train", "x.json", "--output", "run"});
  CHECK(outcome.exit == exit_config);
  CHECK(outcome.err.find("cost_table: compares one class with another, but example 0 of "
                         "org.sculpt.conll has 2 labels; for several labels use the loss "
                         "weighted_hamming, whose label_costs say what it costs to miss a label, "
                         "or hamming") != std::string::npos);
  CHECK(scratch
            .sculpt({"train", "x.json", "--output", "run", "--set",
                     R"(loss={"use": "weighted_hamming", "label_costs": ["X:3"]})"})
            .exit == 0);
}
