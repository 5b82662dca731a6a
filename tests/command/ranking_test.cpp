// Ranking of the documents of a query, from training to prediction.

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string graded_rows =
    "2 qid:1 1:1\n1 qid:1 2:1\n0 qid:1 1:-1 2:1\n1 qid:4 1:2 3:1\n0 qid:4 3:1\n"
    "0 qid:5 1:1\n0 qid:5 3:1\n2 qid:2 1:3\n0 qid:2 1:1 2:2\n1 qid:2 1:2 3:2\n0 qid:2 3:1\n";

Outcome train_ranking(const Scratch& scratch, const std::string& text, const std::string& loss,
                      const std::vector<std::string>& more = {}) {
  scratch.write("rows.txt", text);
  scratch.write("ranking.json", R"({
  "dataset": {"use": "svmrank", "train": "rows.txt"}, "features": "ranking",
  "loss": )" + loss + R"(,
  "oracle": "ranking", "solver": {"use": "one_slack", "C": 100}})");
  std::vector<std::string> words{"train", "ranking.json"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

// Queries with documents of several grades.
std::string many_queries(int count) {
  std::string text;
  for (int document = 0; document < 9 * count; ++document) {
    text += std::to_string(document * 7 % 4 % 3) + " qid:" + std::to_string(document / 9) +
            " 1:" + std::to_string(document % 7) + " 2:" + std::to_string((document * 31) % 11) +
            "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("the perceptron does not stop at w = 0, where all documents have equal scores") {
  const Scratch scratch;
  for (const std::string loss :
       {"pair_error", "mean_average_precision", "reciprocal_rank", "ndcg"}) {
    CAPTURE(loss);
    const Outcome outcome =
        train_ranking(scratch, graded_rows, "\"" + loss + "\"",
                      {"--output", "run", "--force", "--set", R"(solver={"use": "perceptron"})"});
    INFO(outcome.err);
    const Json end = scratch.finished("run");
    CHECK(end["passes"].get<int>() > 1);
    CHECK(end["train"]["map"].get<double>() == doctest::Approx(1));
  }
}

TEST_CASE("queries: training is certified, and predict prints a rank for each document") {
  const Scratch scratch;
  for (const std::string loss :
       {"pair_error", "mean_average_precision", "reciprocal_rank", "ndcg"}) {
    CAPTURE(loss);
    const Outcome outcome =
        train_ranking(scratch, graded_rows, "\"" + loss + "\"", {"--output", "run", "--force"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    CHECK(outcome.err.find("rows.txt: left out 1 of 4 queries") != std::string::npos);
    CHECK(outcome.err.find("its -c is C times 1.33333)") != std::string::npos);
    const Json end = scratch.finished("run");
    CHECK(end["certified"] == true);
    CHECK(end["train"]["examples"] == 3);
    for (const char* measure : {"map", "ndcg@1", "ndcg@10", "mrr"}) {
      CHECK(end["train"][measure].get<double>() == doctest::Approx(1));
    }
    CHECK(end["train"]["skipped"] == 0);
    scratch.write("new.txt", "qid:1 1:3\nqid:1 2:3\nqid:1 1:1\n0 qid:2 1:1\n1 qid:2 1:1\n");
    const Outcome predicted = scratch.sculpt({"predict", "run", "new.txt"});
    INFO(predicted.err);
    REQUIRE(predicted.exit == 0);
    CHECK(predicted.out == "1\n3\n2\n1\n1\n");
  }
}

TEST_CASE("without normalization the objective is that of SVM-rank over all pairs") {
  const Scratch scratch;
  const std::string text = many_queries(8) + "2 qid:90 1:1\n0 qid:90 2:1\n1 qid:90 1:2\n";
  const Outcome outcome =
      train_ranking(scratch, text, R"({"use": "pair_error", "normalize": false})",
                    {"--output", "run", "--set", "features.normalize=false", "--set",
                     "solver.C=0.3", "--set", "solver.relative_gap=1e-6"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.err.find("normalize") == std::string::npos);
  // 1/2 |w|^2 + C/n times the sum of hinges over all pairs, from the rows of the text
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  struct Row {
    int grade;
    std::string query;
    double score;
  };
  std::vector<Row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Row& row = rows.emplace_back();
    words >> row.grade >> row.query;
    row.score = 0;
    for (std::string entry; words >> entry;) {
      row.score += w[static_cast<std::size_t>(entry[0] - '1')] * std::stod(entry.substr(2));
    }
  }
  double hinges = 0;
  for (const Row& i : rows) {
    for (const Row& j : rows) {
      if (i.query != j.query || i.grade <= j.grade) continue;
      hinges += std::max(0.0, 1 - (i.score - j.score));
    }
  }
  double primal = 0.3 / 9 * hinges;
  for (const double one : w) primal += 0.5 * one * one;
  const Json end = scratch.finished("run");
  CHECK(end["train"]["examples"] == 9);
  CHECK(end["primal"].get<double>() == doctest::Approx(primal).epsilon(1e-9));
}

TEST_CASE("train warns if features and loss differ in normalize") {
  const Scratch scratch;
  for (const std::string part : {"features", "loss"}) {
    CAPTURE(part);
    const Outcome outcome =
        train_ranking(scratch, graded_rows, R"("pair_error")",
                      {"--output", "run", "--force", "--set", part + ".normalize=false"});
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    const std::string values = part == "loss" ? "true and loss.normalize false, so margins differ"
                                              : "false and loss.normalize true, so margins differ";
    CHECK(outcome.err.find("features.normalize is " + values) != std::string::npos);
  }
}

TEST_CASE("queries are certified under slack rescaling") {
  const Scratch scratch;
  const Outcome outcome =
      train_ranking(scratch, many_queries(60), R"("pair_error")",
                    {"--output", "run", "--set", "solver.rescaling=slack", "--set", "solver.C=1"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(scratch.finished("run")["certified"] == true);
}

TEST_CASE("queries of one grade are counted as skipped and not measured") {
  const Scratch scratch;
  train_ranking(scratch, graded_rows, R"("ndcg")", {"--output", "run"});
  scratch.write("test.txt", "0 qid:1 1:1\n0 qid:1 2:1\n1 qid:2 1:1\n0 qid:2 2:1\n2 qid:3 1:1\n");
  const Outcome outcome = scratch.sculpt({"evaluate", "run", "test.txt", "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json measured = Json::parse(outcome.out);
  CHECK(measured["skipped"] == 2);
  CHECK(measured["examples"] == 3);
  CHECK(measured["pair_error"] == 0);
}

TEST_CASE("queries give the same model on one thread and on two") {
  const Scratch scratch;
  for (const std::string loss : {R"("pair_error")", R"("ndcg")"}) {
    for (const char* threads : {"1", "2"}) {
      const Outcome outcome = train_ranking(
          scratch, many_queries(60), loss,
          {"--threads", threads, "--output", std::string("run") + threads, "--force"});
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
    }
    CHECK(scratch.read("run1/model.sculpt") == scratch.read("run2/model.sculpt"));
  }
}

TEST_CASE("queries work with verify and with the folds of a sweep") {
  const Scratch scratch;
  train_ranking(scratch, many_queries(12), R"("pair_error")", {"--output", "run"});
  const Outcome verified = scratch.sculpt({"verify", "run"});
  INFO(verified.err);
  CHECK(verified.exit == 0);
  const Outcome outcome = scratch.sculpt(
      {"sweep", "ranking.json", "--output", "sweep", "--folds", "3", "--set", "solver.C=1,100"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json table = Json::parse(scratch.read("sweep/sweep.json"));
  REQUIRE(table.size() == 2);
  CHECK(table[0]["validation"].contains("ndcg@10"));
}

TEST_CASE("queries that cannot be trained on are refused with their place and the remedy") {
  const Scratch scratch;
  check_refused(scratch, train_ranking(scratch, "1 qid:1\n0 qid:2\n0 qid:1\n", R"("pair_error")"),
                65, {"rows.txt:3:3: query 1 began on line 1", "sort the rows by qid"});
  check_refused(scratch, train_ranking(scratch, "1 qid:1 1:1\n0 1:2\n", R"("pair_error")"), 65,
                {"rows.txt:2:3: this row has no query here; write qid:number"});
  check_refused(scratch, train_ranking(scratch, "1 qid:1\n1 qid:1\n0 qid:2\n", R"("pair_error")"),
                65, {"rows.txt:1:1: no query has documents of different grades"});
  check_refused(
      scratch,
      train_ranking(scratch, graded_rows,
                    R"({"use": "mean_average_precision", "relevant_from": 3})"),
      78,
      {"ranking.json:3:", "no training query has documents both of grade 3 or more and below it"});
  check_refused(scratch,
                train_ranking(scratch, graded_rows, R"({"use": "pair_error", "relevant_from": 1})"),
                78, {"ranking.json:4:", "set features.relevant_from to 1"});
  check_refused(scratch, train_ranking(scratch, graded_rows, R"("zero_one")"), 78,
                {"ranking.json:4:", "not org.sculpt.zero_one"});
  scratch.write("letters.json",
                R"({"dataset": {"use": "svmlight", "train": {"text": "1 qid:1 1:1\n"}},
  "features": "multiclass", "loss": "zero_one", "oracle": "enumerate", "solver": "n_slack"})");
  check_refused(scratch, scratch.sculpt({"train", "letters.json"}), 65,
                {"'qid' groups the rows of rankings", "use a dataset for rankings"});
}
