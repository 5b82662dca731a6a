// predict --scores prints the scores that decide an output, in place of the output.

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;
using doctest::Approx;

namespace {

using Table = std::vector<std::vector<double>>;

// Trains, and returns the output of `predict --scores` and of `predict` for `rows`.
struct Predictions {
  Outcome scores;
  Outcome outputs;
};
Predictions predictions_of(const Scratch& scratch, const std::string& experiment,
                           const std::string& train, const std::string& rows) {
  scratch.write("train.txt", train);
  scratch.write("new.txt", rows);
  scratch.write("experiment.json", experiment);
  const Outcome trained =
      scratch.sculpt({"train", "experiment.json", "--output", "run", "--force"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  Predictions predictions{scratch.sculpt({"predict", "run", "new.txt", "--scores"}),
                          scratch.sculpt({"predict", "run", "new.txt"})};
  INFO(predictions.scores.err);
  REQUIRE(predictions.scores.exit == 0);
  REQUIRE(predictions.outputs.exit == 0);
  return predictions;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The numbers of all lines except those that begin with "#".
Table numbers_of(const std::string& text) {
  Table table;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with('#')) continue;
    std::istringstream in(line);
    auto& row = table.emplace_back();
    for (double number = 0; in >> number;) row.push_back(number);
  }
  return table;
}

// The rank of each score: 1 + the number of higher scores.
std::vector<std::string> ranks_of(const Table& scores) {
  std::vector<std::string> ranks;
  for (const auto& row : scores) {
    const auto above = std::count_if(scores.begin(), scores.end(),
                                     [&](const auto& other) { return other[0] > row[0]; });
    ranks.push_back(std::to_string(1 + above));
  }
  return ranks;
}

std::string experiment(const std::string& dataset, const std::string& features,
                       const std::string& loss, const std::string& oracle,
                       const std::string& solver = "n_slack") {
  return R"({"dataset": {"use": ")" + dataset + R"(", "train": "train.txt"}, "features": )" +
         features + R"(, "loss": ")" + loss + R"(", "oracle": ")" + oracle +
         R"(", "solver": {"use": ")" + solver + R"(", "C": 10}})";
}

const std::string three_classes = "3 1:1 2:0.5\n5 2:1\n7 1:-1 3:2\n3 1:2\n5 2:2 3:-1\n";
const std::string new_rows = "3 1:1\n3 2:3 3:0.5\n5 1:0.25 3:4\n";

// Checks that the largest score of each row is that of the predicted class, and the names in the
// header.
void check_classes(const Predictions& predictions) {
  const std::vector<std::string> lines = lines_of(predictions.scores.out);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "# 3 5 7");
  const Table scores = numbers_of(predictions.scores.out);
  const std::vector<std::string> guesses = lines_of(predictions.outputs.out);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    REQUIRE(scores[k].size() == 3);
    const auto best = std::max_element(scores[k].begin(), scores[k].end()) - scores[k].begin();
    CHECK(guesses[k] == std::to_string(3 + 2 * best));
  }
}

}  // namespace

TEST_CASE("scores: classes have a column each, with their names") {
  const Scratch scratch;
  const Predictions predictions = predictions_of(
      scratch,
      experiment("svmlight", R"({"use": "multiclass", "bias": true})", "zero_one", "viterbi"),
      three_classes, new_rows);
  check_classes(predictions);
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  const Table scores = numbers_of(predictions.scores.out);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(scores[0][k] == Approx(w[k] + w[9 + k]));
    CHECK(scores[2][k] == Approx(0.25 * w[k] + 4 * w[6 + k] + w[9 + k]));
  }
}

TEST_CASE("scores: the score of a class of a taxonomy includes the nodes above it") {
  const Scratch scratch;
  const std::string features =
      R"({"use": "taxonomy", "normalize": true, "nodes": ["35 root", "3 35", "5 35", "7 root"]})";
  check_classes(predictions_of(scratch, experiment("svmlight", features, "zero_one", "enumerate"),
                               three_classes, new_rows));
}

TEST_CASE("scores: label sets have a column for each label, if no pair has weights") {
  const Scratch scratch;
  const std::string train = "1,3 1:1 2:0.5\n2 2:1\n- 3:-1\n1,2,3 1:0.5 3:2\n";
  const auto with_pairs = [](const std::string& pairs) {
    return experiment("mlsvml", R"({"use": "multilabel", "pairs": ")" + pairs + R"("})", "hamming",
                      "enumerate");
  };
  const Predictions predictions =
      predictions_of(scratch, with_pairs("none"), train, "- 1:1\n- 2:1 3:1\n");
  CHECK(lines_of(predictions.scores.out)[0] == "# 1 2 3");
  const Table scores = numbers_of(predictions.scores.out);
  const std::vector<std::string> guesses = lines_of(predictions.outputs.out);
  REQUIRE(scores.size() == 2);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    std::string on;
    for (std::size_t label = 0; label < 3; ++label) {
      if (scores[k][label] > 0) on += (on.empty() ? "" : ",") + std::to_string(label + 1);
    }
    CHECK(guesses[k].substr(0, guesses[k].find(' ')) == (on.empty() ? "-" : on));
  }
  scratch.write("experiment.json", with_pairs("both_on"));
  REQUIRE(scratch.sculpt({"train", "experiment.json", "--output", "pairs"}).exit == 0);
  check_refused(scratch, scratch.sculpt({"predict", "pairs", "new.txt", "--scores"}), 78,
                {"multilabel offers no scores"});
}

TEST_CASE("scores: the signs and the order of the rows of a set are the output") {
  const Scratch scratch;
  const std::string train = "1 1:1 2:1\n-1 1:-1\n-1 2:1\n1 1:2\n-1 1:-1 2:-2\n";
  const std::string rows = "1:1\n1:-3 2:1\n1:0.5 2:0.25\n";
  const Predictions predictions =
      predictions_of(scratch,
                     experiment("svmlight_set", R"({"use": "contingency", "bias": true})",
                                "error_rate", "contingency", "one_slack"),
                     train, rows);
  const Table scores = numbers_of(predictions.scores.out);
  const std::vector<std::string> guesses = lines_of(predictions.outputs.out);
  REQUIRE(scores.size() == 3);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    CHECK(guesses[k].starts_with(scores[k][0] > 0 ? "1 " : "-1 "));
  }
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  CHECK(scores[1][0] == Approx(w[1] - 3 * w[0] + w[2]));

  const Predictions order =
      predictions_of(scratch,
                     experiment("svmlight_set", R"({"use": "contingency", "output": "order"})",
                                "roc_area", "contingency", "one_slack"),
                     train, rows);
  std::vector<std::string> ranks;
  for (const std::string& line : lines_of(order.outputs.out)) {
    ranks.push_back(line.substr(line.find(' ') + 1));
  }
  CHECK(ranks == ranks_of(numbers_of(order.scores.out)));
}

TEST_CASE("scores: the documents of a query are ranked by them") {
  const Scratch scratch;
  const Predictions predictions = predictions_of(
      scratch, experiment("svmrank", R"("ranking")", "pair_error", "ranking", "one_slack"),
      "2 qid:1 1:1\n1 qid:1 2:1\n0 qid:1 1:-1 2:1\n1 qid:4 1:2 3:1\n0 qid:4 3:1\n",
      "qid:1 1:0.5 2:-1\nqid:1 1:3\nqid:1 2:1\nqid:1 3:1\n0 qid:7 1:1\n1 qid:7 2:1\n");
  const Table scores = numbers_of(predictions.scores.out);
  REQUIRE(scores.size() == 6);
  std::vector<std::string> ranks = ranks_of({scores.begin(), scores.begin() + 4});
  for (const std::string& rank : ranks_of({scores.begin() + 4, scores.end()})) {
    ranks.push_back(rank);
  }
  CHECK(lines_of(predictions.outputs.out) == ranks);
}

TEST_CASE("scores: values that overflow are refused, as for outputs") {
  const Scratch scratch;
  predictions_of(scratch,
                 experiment("svmrank", R"("ranking")", "pair_error", "ranking", "one_slack"),
                 "1 qid:1 1:0.5\n0 qid:1\n", "qid:1 1:1\n");  // w = 2
  scratch.write("new.txt", "qid:1 1:1\nqid:1 1:1.7e308\n");
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--scores"}}) {
    std::vector<std::string> words{"predict", "run", "new.txt"};
    words.insert(words.end(), more.begin(), more.end());
    check_refused(
        scratch, scratch.sculpt(words), 65,
        {"svmrank: example 0: ", "new.txt:1: its features have magnitude 1.7e+308 at feature 1"});
  }
}

TEST_CASE("scores: the pairs of a document are in the order of their rows") {
  const Scratch scratch;
  const std::string train =
      "1 1 2 1 1:1 2:0.5\n1 1 3 -1 1:-1\n1 2 3 -1 1:-0.5 2:1\n2 1 2 1 1:2\n2 2 3 -1 2:1\n";
  const Predictions predictions = predictions_of(
      scratch, experiment("item_pairs", R"("clustering")", "rand_error", "clustering_enumeration"),
      train, "3 2 3 ? 2:3\n3 2 1 ? 1:1 2:1\n4 1 2 ? 1:-1\n");
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  const Table scores = numbers_of(predictions.scores.out);
  REQUIRE(scores.size() == 3);
  CHECK(scores[0][0] == Approx(3 * w[1] + w[2]));
  CHECK(scores[1][0] == Approx(w[0] + w[1] + w[2]));
  CHECK(scores[2][0] == Approx(w[2] - w[0]));
}

TEST_CASE("scores: they do not depend on the number of threads, and are read back exactly") {
  const Scratch scratch;
  std::string rows;
  for (int k = 0; k < 3000; ++k) {
    rows += std::to_string(3 + 2 * (k % 3)) + " 1:" + std::to_string(k * 0.37) +
            " 3:" + std::to_string(k % 17 / 7.0) + "\n";
  }
  const Predictions predictions =
      predictions_of(scratch, experiment("svmlight", R"("multiclass")", "zero_one", "viterbi"),
                     three_classes, rows);
  const std::vector<std::string> lines = lines_of(predictions.scores.out);
  REQUIRE(lines.size() == 3001);
  const Outcome alone = scratch.sculpt({"predict", "run", "new.txt", "--scores", "--threads", "1"});
  CHECK(alone.out == predictions.scores.out);
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  const double x = 0.37;  // of the second row, which has only 3:1/7 besides
  std::istringstream second(lines[2]);
  for (std::size_t k = 0; k < 3; ++k) {
    double score = 0;
    second >> score;
    CHECK(score == x * w[k] + std::stod(std::to_string(1 / 7.0)) * w[6 + k]);
  }
}

TEST_CASE("scores: they are refused if outputs are decided as a whole") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
  check_refused(scratch, scratch.sculpt({"predict", "run", "words.txt", "--scores"}), 78,
                {"chain offers no scores", "decided as a whole"});
}
