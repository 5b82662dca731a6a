// sculpt explain: its numbers are those of predict and of psi counted by hand.

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

Json explained(const Scratch& scratch, std::vector<std::string> words) {
  words.insert(words.begin(), "explain");
  words.insert(words.end(), {"--json", "--top", "1000"});
  const Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  return Json::parse(outcome.out);
}

double sum_of(const Json& rows, const char* key) {
  return std::accumulate(rows.begin(), rows.end(), 0.0, [&](double sum, const Json& row) {
    return sum + row.at(key).get<double>();
  });
}

// The difference of the feature with this name; 0 if it is not listed.
double difference_of(const Json& weights, const std::string& name) {
  for (const Json& row : weights) {
    if (row.at("name") == name) return row.at("difference").get<double>();
  }
  return 0;
}

}  // namespace

TEST_CASE("explain: shares add up to the margin, and the features are those counted by hand") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  // The inputs of word 2 with its last label changed, which the model does not believe.
  scratch.write("new.txt", "1 0 0 b 1 0 1 1\n1 0 1 a 1 1 0 1\n1 0 2 a 0 0 1 0\n");
  const Json json = explained(scratch, {"run", "new.txt"});
  CHECK(json["truth"]["text"] == "baa");
  CHECK(json["guess"]["text"] == "bab");
  CHECK(json["right"] == false);
  CHECK(json["loss"] == 1);
  CHECK(json["compared"] == Json({"truth", "guess"}));
  const double margin = json["margin"].get<double>();
  CHECK(margin < 0);
  CHECK(margin == doctest::Approx(json["truth"]["score"].get<double>() -
                                  json["guess"]["score"].get<double>()));
  CHECK(sum_of(json["weights"], "share") == doctest::Approx(margin));
  CHECK(sum_of(json["parts"], "share") == doctest::Approx(margin));
  // baa has b->a, a->a; bab has b->a, a->b. Their last letter has the inputs 0 1 0. The weight of
  // a->a is 0, so it has no share.
  CHECK(difference_of(json["weights"], "transition b->a") == 0);
  CHECK(difference_of(json["weights"], "transition a->b") == -1);
  CHECK(difference_of(json["weights"], "pixel 1, label a") == 1);
  CHECK(difference_of(json["weights"], "pixel 1, label b") == -1);
  CHECK(difference_of(json["weights"], "pixel 0, label a") == 0);
  for (const Json& row : json["weights"]) {
    CHECK(row["share"].get<double>() ==
          doctest::Approx(row["value"].get<double>() * row["difference"].get<double>()));
    CHECK(row["value"] ==
          weights_of(scratch.read("run/model.sculpt"))[row["weight"].get<std::size_t>()]);
  }
  for (const Json& part : json["parts"]) {
    CHECK(sum_of(part["weights"], "share") == doctest::Approx(part["share"].get<double>()));
    CHECK(part["positions"].back() == 2);  // the labels before are equal
  }
}

TEST_CASE("explain: a right guess is compared with the second of predict --nbest") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const Json json = explained(scratch, {"run", "words.txt", "--example", "1"});
  CHECK(json["example"] == 1);
  CHECK(json["right"] == true);
  CHECK(json["compared"] == Json({"truth", "second best output"}));
  const Outcome best = scratch.sculpt({"predict", "run", "words.txt", "--nbest", "2"});
  // Lines 4 to 7 are about example 1: a line of scores before each output.
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < best.out.size();) {
    const std::size_t end = best.out.find('\n', from);
    lines.push_back(best.out.substr(from, end - from));
    from = end + 1;
  }
  REQUIRE(lines.size() == 16);
  const auto score_in = [](const std::string& line) {
    return std::stod(line.substr(line.find("score ") + 6));
  };
  CHECK(json["guess"]["text"] == lines[5]);
  CHECK(json["guess"]["score"].get<double>() == doctest::Approx(score_in(lines[4])));
  CHECK(json["other"]["text"] == lines[7]);
  CHECK(json["other"]["score"].get<double>() == doctest::Approx(score_in(lines[6])));
  CHECK(json["margin"].get<double>() == doctest::Approx(score_in(lines[4]) - score_in(lines[6])));
}

TEST_CASE("explain: without a truth the guess is compared, or explained alone") {
  const Scratch scratch;
  scratch.write("train.txt", "1 1:2\n2 2:1\n1 1:1 2:-1\n2 1:-1\n");
  scratch.write("new.txt", "1:1 2:0.5\n");
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "train.txt"},
    "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 1}})");
  REQUIRE(scratch.sculpt({"train", "x.json", "--output", "run"}).exit == 0);
  const Json json = explained(scratch, {"run", "new.txt"});
  CHECK(json["truth"].is_null());
  CHECK(json["right"].is_null());
  CHECK(json["loss"].is_null());
  CHECK(json["compared"] == Json({"guess", "second best output"}));
  CHECK(sum_of(json["weights"], "share") == doctest::Approx(json["margin"].get<double>()));
  // Another oracle lists no other outputs.
  const Json alone = explained(scratch, {"run", "new.txt", "--set", "oracle=icm"});
  CHECK(alone["oracle"] == "icm");
  CHECK(alone["compared"] == Json({"guess"}));
  CHECK(alone["margin"].is_null());
  CHECK(alone["notes"].size() == 1);
  CHECK(sum_of(alone["weights"], "share") ==
        doctest::Approx(alone["guess"]["score"].get<double>()));
  // With a truth it gives the most violating output.
  scratch.write("labelled.txt", "1 1:0.1\n");
  const Json violating = explained(scratch, {"run", "labelled.txt", "--set", "oracle=icm"});
  CHECK(violating["compared"] == Json({"truth", "most violating output"}));
  CHECK(violating["other"]["loss"] == 1);
}

TEST_CASE("explain: with a kernel, support examples add up to the margin as by hand") {
  const Scratch scratch;
  scratch.write("train.txt", "1 1:2\n2 2:1\n1 1:1 2:-1\n2 1:-1\n");
  scratch.write("new.txt", "2 1:1 2:0.5\n");
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "train.txt"},
    "features": {"use": "multiclass", "bias": false}, "loss": "zero_one", "oracle": "enumerate",
    "kernel": {"use": "rbf", "gamma": 0.5}, "solver": {"use": "n_slack", "C": 4}})");
  REQUIRE(scratch.sculpt({"train", "x.json", "--output", "run"}).exit == 0);
  const Json json = explained(scratch, {"run", "new.txt"});
  const std::vector<double> beta = weights_of(scratch.read("run/model.sculpt"));
  const double rows[4][2] = {{2, 0}, {0, 1}, {1, -1}, {-1, 0}};
  REQUIRE(beta.size() == 8);  // all four are support atoms, in two blocks
  REQUIRE(json["support"].size() == 4);
  const double sign = json["compared"][0] == "truth" ? -1 : 0;  // the truth is the second class
  for (const Json& row : json["support"]) {
    const auto i = row["example"].get<std::size_t>();
    const double distance = std::pow(rows[i][0] - 1, 2) + std::pow(rows[i][1] - 0.5, 2);
    const double share = sign * (beta[2 * i] - beta[2 * i + 1]) * std::exp(-0.5 * distance);
    CHECK(row["share"].get<double>() == doctest::Approx(share));
    CHECK(contains(row["text"].get<std::string>(), "train.txt:" + std::to_string(i + 1)));
  }
  CHECK(sum_of(json["support"], "share") == doctest::Approx(json["margin"].get<double>()));
  CHECK(json["weights"].empty());
}

TEST_CASE("explain: probabilities are those of predict --nbest") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {"--set", "solver={\"use\": \"crf\", \"C\": 10}"});
  const Json json = explained(scratch, {"run", "words.txt"});
  const Outcome best = scratch.sculpt({"predict", "run", "words.txt", "--nbest", "1"});
  const std::size_t at = best.out.find("probability ");
  REQUIRE(at != std::string::npos);
  CHECK(json["guess"]["probability"].get<double>() ==
        doctest::Approx(std::stod(best.out.substr(at + 12))));
}

TEST_CASE("explain: rows of a ranking have their number and the row of the file") {
  const Scratch scratch;
  scratch.write("train.txt", "2 qid:1 1:1\n1 qid:1 1:0.5\n0 qid:1 1:0\n");
  scratch.write("new.txt", "0 qid:7 1:3 # high\n2 qid:7 1:1\n1 qid:7 1:2\n");
  REQUIRE(scratch.sculpt({"train", "--task", "ranking", "train.txt", "--output", "run"}).exit == 0);
  const Outcome outcome = scratch.sculpt({"explain", "run", "new.txt"});
  INFO(outcome.out << outcome.err);
  // The model ranks by x: rows 1, 3, 2. The truth ranks rows 2, 3, 1.
  CHECK(contains(outcome.out,
                 "where they differ: - truth, + guess\n"
                 "  row 1     0 qid:7 1:3 # high\n  - 3\n  + 1\n"
                 "  row 2     2 qid:7 1:1\n  - 1\n  + 3\n"));
  CHECK(contains(outcome.out, "feature 1"));
}

TEST_CASE("explain: a token has its row without tabs, and its label once") {
  const Scratch scratch;
  scratch.write("train.txt", "a\tX\tA\nb\tY\tB\n\nb\tY\tB\na\tX\tA\n");
  scratch.write("new.txt", "a\tX\tA\na\tX\tB\n\na\tX\tB\na\tX\tB\n");
  REQUIRE(scratch.sculpt({"train", "--task", "tagging", "train.txt", "--output", "run"}).exit == 0);
  const Outcome outcome = scratch.sculpt({"explain", "run", "new.txt"});
  INFO(outcome.out << outcome.err);
  CHECK(contains(outcome.out, "  row 2     a X\n  - B\n  + A\n"));
  const std::string both = scratch.sculpt({"explain", "run", "new.txt", "--example", "1"}).out;
  CHECK(contains(both, "with positions counted from 1\n"));
  CHECK(contains(both, "  2             B               A\n"));
  CHECK_FALSE(contains(outcome.out, "\\x09"));
}

TEST_CASE("explain: a truth with a label that training does not have has no score") {
  const Scratch scratch;
  scratch.write("train.txt", "the DT B-NP\ncat NN I-NP\n\nit PRP B-NP\nran VBD O\n");
  scratch.write("test.txt", "the DT B-NP\ncat NN I-XP\n");
  scratch.write("e.json", R"({"dataset": {"use": "conll", "train": "train.txt",
    "templates": ["w[0]"], "unseen_labels": "wrong"}, "features": "chain", "loss": "hamming",
    "oracle": "viterbi", "solver": "n_slack"})");
  REQUIRE(scratch.sculpt({"train", "e.json", "--output", "run"}).exit == 0);
  const Json json = explained(scratch, {"run", "test.txt"});
  CHECK(json["truth"].is_null());
  CHECK(json["guess"]["text"] == "the DT B-NP B-NP\ncat NN I-XP I-NP\n");
  CHECK(json["loss"] == 1);
  CHECK(json["compared"] == Json({"guess", "second best output"}));
  CHECK(json["notes"].dump().find("the truth is left out: 1 label of it does not occur in the "
                                  "training data, so it has no score") != std::string::npos);
}

TEST_CASE("explain: the text shows what the JSON has, and wrong numbers are refused") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const Outcome outcome = scratch.sculpt({"explain", "run", "words.txt", "--top", "1"});
  CHECK(outcome.exit == 0);
  CHECK(contains(outcome.out, "example 0, "));
  CHECK(contains(outcome.out, "words.txt:1"));
  CHECK(contains(outcome.out, "the guess is right"));
  CHECK(contains(outcome.out, "in sum of"));
  const auto refused = [&](const std::vector<std::string>& words, const std::string& text) {
    std::vector<std::string> all{"explain", "run", "words.txt"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome wrong = scratch.sculpt(all);
    CHECK(wrong.exit == 64);
    INFO(wrong.err);
    CHECK(contains(wrong.err, text));
    CHECK(wrong.out.empty());
  };
  refused({"--example", "4"}, "the data have 4 examples; give a number from 0 to 3");
  refused({"--example", "-1"}, "--example must be at least 0");
  refused({"--top", "-1"}, "--top must be at least 0");
}
