// Weights of examples (dataset.weights, dataset.label_weights): their effect, their traces in a
// run, and files that are refused.

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;
using doctest::Approx;

namespace {

struct Row {
  std::string line;
  int weight;
};

// Rows of three classes that overlap, with weights from 0 to 3.
std::vector<Row> noisy_rows() {
  std::mt19937_64 random(4);
  std::vector<Row> rows;
  for (int i = 0; i < 40; ++i) {
    const auto label = 1 + static_cast<int>(random() % 3);
    std::string line = std::to_string(label);
    for (int j = 1; j <= 3; ++j) {
      const auto value = static_cast<int>(random() % 9) + (j == label ? 4 : 0);
      line += " " + std::to_string(j) + ":" + std::to_string(value);
    }
    rows.push_back({line + "\n", static_cast<int>(random() % 4)});
  }
  return rows;
}

std::string lines_of(const std::vector<Row>& rows, bool repeats) {
  std::string text;
  for (const Row& row : rows) {
    for (int copies = repeats ? row.weight : 1; copies > 0; --copies) text += row.line;
  }
  return text;
}

std::string weights_of_rows(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) text += std::to_string(row.weight) + "\n";
  return text;
}

// Writes weighted.json on rows.svml with weights.txt, and repeated.json on the same rows, each as
// often as its weight. C/n is the same in both.
void write_experiments(const Scratch& scratch) {
  const std::vector<Row> rows = noisy_rows();
  scratch.write("rows.svml", lines_of(rows, false));
  scratch.write("repeated.svml", lines_of(rows, true));
  scratch.write("weights.txt", weights_of_rows(rows));
  double copies = 0;
  for (const Row& row : rows) copies += row.weight;
  const auto experiment = [](const std::string& data, double C) {
    return R"({"dataset": {"use": "svmlight", "train": )" + data + R"(},
        "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate",
        "checkpoint_seconds": 0,
        "solver": {"use": "n_slack", "C": )" +
           std::to_string(C) + R"(, "relative_gap": 1e-6}})";
  };
  scratch.write("weighted.json", experiment(R"("rows.svml", "weights": "weights.txt")", 4));
  scratch.write("repeated.json",
                experiment(R"("repeated.svml")", 4 * copies / static_cast<double>(rows.size())));
}

Outcome train_weighted(const Scratch& scratch, const std::string& experiment,
                       const std::string& output, const std::vector<std::string>& sets = {},
                       std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"train", experiment, "--output", output});
  for (const std::string& set : sets) more.insert(more.end(), {"--set", set});
  return scratch.sculpt(more);
}

std::vector<double> trained_weights(const Scratch& scratch, const std::string& run) {
  return weights_of(scratch.read(run + "/model.sculpt"));
}

void check_equal_weights(const Scratch& scratch, const std::string& run, const std::string& other,
                         double tolerance) {
  const std::vector<double> w = trained_weights(scratch, run);
  const std::vector<double> expected = trained_weights(scratch, other);
  REQUIRE(w.size() == expected.size());
  for (std::size_t j = 0; j < w.size(); ++j) {
    CHECK(w[j] == Approx(expected[j]).epsilon(tolerance));
  }
}

}  // namespace

TEST_CASE("a row of weight 3 trains like three equal rows, in every formulation") {
  const Scratch scratch;
  write_experiments(scratch);
  int number = 0;
  for (const std::string solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    for (const std::string formulation : {"slack_norm=1", "slack_norm=2", "rescaling=\"slack\""}) {
      CAPTURE(solver);
      CAPTURE(formulation);
      const std::vector<std::string> sets = {"solver.use=" + solver, "solver." + formulation};
      const std::string run = "run" + std::to_string(++number);
      CHECK(train_weighted(scratch, "weighted.json", run, sets).exit == 0);
      CHECK(train_weighted(scratch, "repeated.json", run + "-repeated", sets).exit == 0);
      const Json weighted = scratch.finished(run);
      CHECK(weighted["certified"] == true);
      CHECK(weighted["primal"].get<double>() ==
            Approx(scratch.finished(run + "-repeated")["primal"].get<double>()).epsilon(2e-6));
      check_equal_weights(scratch, run, run + "-repeated", 1e-2);
      CHECK(scratch.sculpt({"verify", run}).exit == 0);
    }
  }
}

TEST_CASE("generative counts a row of weight 3 three times") {
  const Scratch scratch;
  write_experiments(scratch);
  CHECK(train_weighted(scratch, "weighted.json", "run", {"solver=generative"}).exit == 3);
  CHECK(train_weighted(scratch, "repeated.json", "repeated", {"solver=generative"}).exit == 3);
  CHECK(trained_weights(scratch, "run") == trained_weights(scratch, "repeated"));
}

TEST_CASE("a hard margin leaves out rows of weight 0, and other weights do not matter") {
  const Scratch scratch;
  scratch.write("rows.svml", "1 1:1\n2 2:1\n1 3:1\n2 3:1\n");  // the last two contradict each other
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "rows.svml"},
      "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
      "solver": {"use": "n_slack", "C": "inf"}})");
  CHECK(train_weighted(scratch, "x.json", "none").exit == 65);
  scratch.write("weights.txt", "5\n0.1\n0\n1\n");
  CHECK(train_weighted(scratch, "x.json", "weighted", {"dataset.weights=weights.txt"}).exit == 0);
  scratch.write("rows.svml", "1 1:1\n2 2:1\n2 3:1\n");
  CHECK(train_weighted(scratch, "x.json", "without").exit == 0);
  check_equal_weights(scratch, "weighted", "without", 1e-6);
}

TEST_CASE("train, the events, the model and describe tell the range of the weights") {
  const Scratch scratch;
  write_experiments(scratch);
  const Outcome outcome = train_weighted(scratch, "weighted.json", "run");
  CHECK(contains(outcome.err, "example weights: 0 to 3; 13 examples have weight 0"));
  CHECK(contains(outcome.err, "C/n sum of weighted slacks"));
  CHECK(contains(outcome.out, "example weights 0 to 3; 13 examples have weight 0"));
  const Json expected = {{"smallest", 0.0}, {"largest", 3.0}, {"zeros", 13}};
  CHECK(scratch.started("run")["example_weights"] == expected);
  const std::string model = scratch.read("run/model.sculpt");
  CHECK_FALSE(contains(model, scratch.folder().string()));
  CHECK_FALSE(contains(model, "weights.txt"));
  CHECK(contains(model, "\"dataset.weights\":\"xxh3:"));
  const Outcome described = scratch.sculpt({"describe", "run"});
  CHECK(contains(described.out, "0 to 3; 13 examples have weight 0 and are left out"));
  CHECK(contains(described.out, "sum of weighted slacks"));
  CHECK(contains(described.out, "dataset.weights data"));
  const Outcome plain = train_weighted(scratch, "repeated.json", "plain");
  CHECK_FALSE(contains(plain.err + plain.out, "weighted"));
  CHECK_FALSE(scratch.started("plain").contains("example_weights"));
}

TEST_CASE("a model predicts and is evaluated without the file of weights, and unweighted") {
  const Scratch scratch;
  write_experiments(scratch);
  REQUIRE(train_weighted(scratch, "weighted.json", "run").exit == 0);
  std::filesystem::remove(scratch / "weights.txt");
  CHECK(scratch.sculpt({"predict", "run", "rows.svml"}).exit == 0);
  const Outcome evaluated = scratch.sculpt({"evaluate", "run", "rows.svml", "--json"});
  CHECK(evaluated.exit == 0);
  const Json metrics = Json::parse(evaluated.out);
  CHECK(metrics["examples"] == 40);
  CHECK(metrics["error"] == scratch.finished("run")["train"]["error"]);
}

TEST_CASE("a run with weights resumes to the same bytes, on any number of threads") {
  const Scratch scratch;
  write_experiments(scratch);
  int number = 0;
  for (const std::string solver :
       {R"("n_slack")", R"({"use": "n_slack", "slack_norm": 2, "C": 4})", R"("one_slack")",
        R"({"use": "one_slack", "slack_norm": 2, "C": 4})", R"("frank_wolfe")",
        R"({"use": "frank_wolfe", "averaging": true, "C": 4})", R"("perceptron")",
        R"("subgradient")"}) {
    CAPTURE(solver);
    const std::string run = "run" + std::to_string(++number);
    const std::string set = "solver=" + solver;
    train_weighted(scratch, "weighted.json", run, {set, "solver.max_passes=6"}, {"--threads", "1"});
    train_weighted(scratch, "weighted.json", run + "-in-two", {set, "solver.max_passes=2"});
    train_weighted(scratch, "weighted.json", run + "-in-two", {set, "solver.max_passes=6"},
                   {"--resume"});
    CHECK(trained_weights(scratch, run).size() == 12);
    CHECK(trained_weights(scratch, run) == trained_weights(scratch, run + "-in-two"));
    CHECK(scratch.finished(run)["primal"] == scratch.finished(run + "-in-two")["primal"]);
  }
}

TEST_CASE("a run is not resumed, verified or used as warm start with other weights") {
  const Scratch scratch;
  write_experiments(scratch);
  CHECK(train_weighted(scratch, "weighted.json", "run", {"solver.max_passes=2"}).exit == 3);
  CHECK(train_weighted(scratch, "weighted.json", "ended").exit == 0);
  const std::string weights = scratch.read("weights.txt");
  scratch.write("moved.txt", weights);
  scratch.write("weights.txt", "2\n" + weights.substr(2));
  const auto refused = [](const Outcome& outcome, int exit, const std::string& text) {
    CHECK(outcome.exit == exit);
    CHECK_MESSAGE(contains(outcome.err, text), outcome.err);
  };
  const std::string other_hash = "the data of dataset.weights have the hash ";
  refused(train_weighted(scratch, "weighted.json", "run", {}, {"--resume"}), 65, other_hash);
  refused(train_weighted(scratch, "weighted.json", "ended", {}, {"--resume"}), 65, other_hash);
  refused(scratch.sculpt({"verify", "ended"}), 65, other_hash);
  refused(train_weighted(scratch, "weighted.json", "warm", {"solver.warm_start=ended"}), 78,
          other_hash);
  refused(train_weighted(scratch, "weighted.json", "run", {"dataset.weights=null"}, {"--resume"}),
          65, other_hash + "unset");
  std::filesystem::remove(scratch / "weights.txt");
  refused(
      scratch.sculpt({"verify", "ended"}), 66,
      "the file of \"dataset.weights\" is missing; give its path with --set dataset.weights=PATH");
  const std::string moved = "dataset.weights=moved.txt";
  CHECK(scratch.sculpt({"verify", "ended", "--set", moved}).exit == 0);
  CHECK(train_weighted(scratch, "weighted.json", "run", {moved}, {"--resume"}).exit == 0);
  CHECK(scratch.read("run/model.sculpt") == scratch.read("ended/model.sculpt"));
  CHECK(train_weighted(scratch, "weighted.json", "warm", {moved, "solver.warm_start=ended"}).exit ==
        0);
}

TEST_CASE("with weights no warm start goes from a hard margin to a finite C, or back") {
  const Scratch scratch;
  scratch.write("two.svml", "1 1:1\n2 1:-1\n1 1:2\n");
  scratch.write("weights.txt", "0.5\n3\n1\n");
  scratch.write("two.json", R"({"dataset": {"use": "svmlight", "train": "two.svml",
      "weights": "weights.txt"}, "features": "multiclass", "loss": "zero_one",
      "oracle": "enumerate", "solver": {"use": "n_slack", "C": 4}})");
  CHECK(train_weighted(scratch, "two.json", "finite").exit == 0);
  CHECK(train_weighted(scratch, "two.json", "hard", {"solver.C=inf"}).exit == 0);
  for (const auto& [C, earlier] : {std::pair{"inf", "finite"}, {"4", "hard"}}) {
    const Outcome outcome =
        train_weighted(scratch, "two.json", "warm",
                       {std::string("solver.C=") + C, std::string("solver.warm_start=") + earlier});
    CHECK(outcome.exit == 78);
    CHECK_MESSAGE(contains(outcome.err, "with weights of examples the planes of a hard margin"),
                  outcome.err);
  }
  CHECK(train_weighted(scratch, "two.json", "hard2", {"solver.C=inf", "solver.warm_start=hard"})
            .exit == 0);
}

TEST_CASE("faulty files of weights are refused with the line") {
  const Scratch scratch;
  scratch.write("rows.svml", "1 1:1\n2 2:1\n\n1 3:1\n");
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "rows.svml",
                                          "weights": "weights.txt"},
      "features": "multiclass", "loss": "zero_one", "oracle": "enumerate", "solver": "n_slack"})");
  const auto refused = [&](const std::string& weights, int exit, const std::string& text) {
    CAPTURE(weights);
    if (!weights.empty()) scratch.write("weights.txt", weights);
    check_refused(scratch, train_weighted(scratch, "x.json", "runs/x"), exit, {text});
  };
  refused("", 66, "weights.txt: cannot be opened");
  refused("1\n-2\n1\n", 65, "weights.txt:2:1: '-2' is negative; a weight is at least 0");
  refused("1\n1\nnan\n", 65, "weights.txt:3:1: 'nan' is not a weight");
  refused("1\n1e999\n1\n", 65, "weights.txt:2:1: '1e999' is too large");
  refused("1\n1\n1e51\n", 65, "example 2: ");
  refused("1\n1\n1e51\n", 65, "rows.svml:4: its weight is 1e+51; weights of examples are numbers");
  refused("1\n1\n", 65,
          "weights.txt:3: the file ends after 2 weights, but the split \"train\" has 3");
  refused("1\n1\n1\n1\n", 65, "weights.txt:4:1: the line is a weight for example 4, but the split");
  refused("1\n1 2\n1\n", 65, "weights.txt:2:3: the line has more than one field");
  refused("1\n\n1\n1\n", 65, "weights.txt:2:1: the line is empty");
  refused("0\n0\n0\n", 65, "the weights of all 3 training examples are 0");
  scratch.write("weights.txt",
                "\xEF\xBB\xBF"
                "1\r\n 2.5 \r\n0");
  CHECK(train_weighted(scratch, "x.json", "runs/x").exit == 0);
}

TEST_CASE("weights of labels are those of their rows, times those of the file") {
  const Scratch scratch;
  write_experiments(scratch);
  std::string of_labels;
  std::string products;
  for (const Row& row : noisy_rows()) {
    const double weight = row.line[0] == '2' ? 2.5 : row.line[0] == '3' ? 0 : 1;
    of_labels += std::to_string(weight) + "\n";
    products += std::to_string(weight * row.weight) + "\n";
  }
  scratch.write("of_labels.txt", of_labels);
  scratch.write("products.txt", products);
  const std::string label_weights = R"(dataset.label_weights=["2:2.5", "+3:0"])";
  REQUIRE(
      train_weighted(scratch, "weighted.json", "labels", {"dataset.weights=null", label_weights})
          .exit == 0);
  REQUIRE(
      train_weighted(scratch, "weighted.json", "file", {"dataset.weights=of_labels.txt"}).exit ==
      0);
  CHECK(trained_weights(scratch, "labels") == trained_weights(scratch, "file"));
  REQUIRE(train_weighted(scratch, "weighted.json", "both", {label_weights}).exit == 0);
  REQUIRE(
      train_weighted(scratch, "weighted.json", "product", {"dataset.weights=products.txt"}).exit ==
      0);
  CHECK(trained_weights(scratch, "both") == trained_weights(scratch, "product"));
  CHECK(scratch.sculpt({"predict", "labels", "rows.svml"}).exit == 0);
  const auto refused = [&](const std::string& list, const std::string& text) {
    check_refused(
        scratch,
        train_weighted(scratch, "weighted.json", "runs/x", {"dataset.label_weights=" + list}), 78,
        {text});
  };
  refused(R"(["2"])", "label_weights has '2'; write a label, a colon and a weight");
  refused(R"(["2:"])", "write a label, a colon and a weight");
  refused(R"(["a:1"])", "write a label, a colon and a weight");
  refused(R"(["2:-1"])", "write a label, a colon and a weight");
  refused(R"(["2:inf"])", "write a label, a colon and a weight");
  refused(R"(["2:1", "2:3"])", "label_weights has two weights for the label 2");
  refused(R"(["7:1"])", "label_weights has the label 7, which does not occur in the training data");
}

TEST_CASE("weights stay with their rows if a fold is held out") {
  const Scratch scratch;
  write_experiments(scratch);
  CHECK(train_weighted(scratch, "weighted.json", "run",
                       {R"(hold_out={"folds": 4, "fold": 1, "seed": 3})"})
            .exit == 0);
  CHECK(scratch.started("run")["examples"] == 30);
  CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
  CHECK(scratch.finished("run")["validation"]["examples"] == 10);
  const Outcome swept = scratch.sculpt(
      {"sweep", "weighted.json", "--set", "solver.C=1,4", "--folds", "2", "--output", "sweep"});
  CHECK_MESSAGE(swept.exit == 0, swept.err);
}

TEST_CASE("sentences and rows with several labels have weights, too") {
  const Scratch scratch;
  const std::string sentence = "a X B-NP\nb Y I-NP\n\n";
  const std::string other = "b X O\na X B-NP\n\n";
  const std::string third = "b Y B-NP\nb X O\n\n";
  scratch.write("three.txt", sentence + other + third);
  scratch.write("four.txt", sentence + sentence + sentence + other);
  scratch.write("rows.svml", "1,2 1:1\n2 1:1 2:1\n- 2:1\n");
  scratch.write("rows4.svml", "1,2 1:1\n1,2 1:1\n1,2 1:1\n2 1:1 2:1\n");
  scratch.write("weights.txt", "3\n1\n0\n");
  const auto same = [&](const std::string& name, const std::string& dataset,
                        const std::string& rest, const std::string& data,
                        const std::string& repeated) {
    const auto experiment = [&](const std::string& more, double C) {
      return R"({"dataset": {"use": ")" + dataset + R"(", "train": )" + more + "}, " + rest +
             R"(, "solver": {"use": "n_slack", "relative_gap": 1e-9, "C": )" + std::to_string(C) +
             "}}";
    };
    scratch.write(name + "w.json", experiment("\"" + data + "\", \"weights\": \"weights.txt\"", 3));
    scratch.write(name + "r.json", experiment("\"" + repeated + "\"", 4));
    const Outcome outcome = train_weighted(scratch, name + "w.json", name + "w");
    CHECK_MESSAGE(outcome.exit == 0, outcome.err);
    CHECK(train_weighted(scratch, name + "r.json", name + "r").exit == 0);
    CHECK(scratch.finished(name + "w")["primal"].get<double>() ==
          Approx(scratch.finished(name + "r")["primal"].get<double>()).epsilon(1e-8));
  };
  same("c", "conll", R"("features": "chain", "loss": "hamming", "oracle": "viterbi")", "three.txt",
       "four.txt");
  same("m", "mlsvml", R"("features": "multilabel", "loss": "hamming", "oracle": "enumerate")",
       "rows.svml", "rows4.svml");
  // With train_sentences the file of weights still has a line for each sentence.
  CHECK(train_weighted(scratch, "cw.json", "first", {"dataset.train_sentences=2"}).exit == 0);
}

TEST_CASE("advice counts only the examples that the oracle is asked about") {
  const Scratch scratch;
  write_experiments(scratch);
  const Outcome outcome =
      train_weighted(scratch, "weighted.json", "run", {"oracle=icm", "solver.max_passes=20"});
  INFO(outcome.out);
  CHECK(contains(outcome.out, "the oracle gives no upper bound, so nothing is proved"));
}
