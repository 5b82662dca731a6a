// Probabilistic grammars by counting. The tests compare rule weights and P with values by hand.
// They also cover sentences without a tree, truths outside of the grammar, and a stop.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <sstream>
#include <thread>

#include "command/host_process.hpp"

using namespace sculpt::test;
using doctest::Approx;

namespace {

// Trains a grammar on `trees` by counting.
Outcome count_rules(const Scratch& scratch, const std::string& trees, const std::string& solver,
                    const std::string& features = R"("grammar")", const std::string& more = {}) {
  scratch.write("train.trees", trees);
  scratch.write("count.json",
                R"({"dataset": {"use": "trees", "terminals": "words", "rare": 0,
                                "train": "train.trees")" +
                    more + R"(}, "features": )" + features + R"(, "loss": "difference",
                    "oracle": "grammar", "solver": {"use": "generative")" +
                    solver + "}}");
  return scratch.sculpt({"train", "count.json", "--output", "run", "--force"});
}

// The weights of a run by name, without weights of 0, which describe does not print.
std::map<std::string, double> rules_of(const Scratch& scratch) {
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  const Outcome described = scratch.sculpt({"describe", "run"});
  std::map<std::string, double> rules;
  std::istringstream lines(described.out.substr(described.out.find("top weights\n")));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    double weight = 0;
    words >> weight >> std::ws;
    std::getline(words, line);
    rules[line] = weight;
  }
  const auto zeros = static_cast<std::size_t>(std::count(w.begin(), w.end(), 0.0));
  REQUIRE(rules.size() == w.size() - zeros);
  return rules;
}

double weight_of(const std::map<std::string, double>& rules, const std::string& name) {
  const auto found = rules.find(name);
  return found == rules.end() ? 0 : found->second;
}

const std::string two_kinds = "(S (A a a))\n(S (A a a))\n(S (B a a))\n";

}  // namespace

TEST_CASE("generative makes a probabilistic grammar: weights are logarithms of rule frequencies") {
  const Scratch scratch;
  // S -> NP VP three times, S -> VP once; both rules of NP twice; VP -> see three times, VP -> see
  // NP once
  const std::string trees =
      "(S (NP the cat) (VP see))\n(S (NP cats) (VP see (NP the cat)))\n(S (NP cats) (VP see))\n"
      "(S (VP see))\n";
  for (const double smoothing : {0.0, 1.0, 0.5}) {
    const Outcome outcome =
        count_rules(scratch, trees, R"(, "smoothing": )" + std::to_string(smoothing));
    INFO(outcome.err);
    REQUIRE(outcome.exit == 3);
    const std::map<std::string, double> rules = rules_of(scratch);
    const auto log_share = [&](double times, double of, double rules_of_symbol) {
      return Approx(std::log((times + smoothing) / (of + smoothing * rules_of_symbol)))
          .epsilon(1e-5);  // describe prints few digits
    };
    CHECK(weight_of(rules, "ROOT -> S") == 0);
    CHECK(weight_of(rules, "S -> NP VP") == log_share(3, 4, 2));
    CHECK(weight_of(rules, "S -> VP") == log_share(1, 4, 2));
    CHECK(weight_of(rules, "NP -> the cat") == log_share(2, 4, 2));
    CHECK(weight_of(rules, "NP -> cats") == log_share(2, 4, 2));
    CHECK(weight_of(rules, "VP -> see") == log_share(3, 4, 2));
    CHECK(weight_of(rules, "VP -> see NP") == log_share(1, 4, 2));
    CHECK(weights_of(scratch.read("run/model.sculpt")).size() == 7);
  }
}

TEST_CASE("generative reports P of every formulation at the counted weights") {
  // Each truth has one other tree: Delta = 2 brackets, <w, dpsi> = log 2 for A and -log 2 for B.
  const double log_2 = std::log(2.0);
  const double norm =
      0.5 * (std::pow(std::log(2 / 3.0), 2) + std::pow(std::log(1 / 3.0), 2));  // of S -> A, S -> B
  const double c = 6;
  const auto expected = [&](bool slack_rescaling, int slack_norm) {
    const double delta = slack_norm == 1 ? 2 : std::sqrt(2.0);
    double sum = 0;
    for (const double margin : {log_2, log_2, -log_2}) {
      const double xi = slack_rescaling ? delta * (1 - margin) : delta - margin;
      sum += slack_norm == 1 ? xi : xi * xi / 2;
    }
    return norm + c / 3 * sum;
  };
  for (const bool slack_rescaling : {false, true}) {
    for (const int slack_norm : {1, 2}) {
      const Scratch scratch;
      const std::string rescaling = slack_rescaling ? "slack" : "margin";
      const Outcome outcome =
          count_rules(scratch, two_kinds,
                      R"(, "smoothing": 0, "C": 6, "rescaling": ")" + rescaling +
                          R"(", "slack_norm": )" + std::to_string(slack_norm));
      INFO(outcome.err);
      REQUIRE(outcome.exit == 3);
      const Json event = scratch.finished("run");
      CHECK(event["primal"].get<double>() == Approx(expected(slack_rescaling, slack_norm)));
      CHECK(event["primal_high"] == event["primal"]);
      CHECK(event["certified"] == false);
    }
  }
}

TEST_CASE(
    "generative counts the rules of truths outside of the grammar, and sentences without a tree") {
  const Scratch scratch;
  // the second truth has a rule that the grammar lacks; the third sentence has no tree at all
  const Outcome outcome =
      count_rules(scratch, "(S (A a a))\n(S (A a (B a)))\n(S (A b))\n", R"(, "smoothing": 0)",
                  R"({"use": "grammar", "rows": ["ROOT -> S", "S -> A", "S -> B", "A -> a a",
                      "B -> a a", "B -> a"]})");
  INFO(outcome.err);
  REQUIRE(outcome.exit == 3);
  CHECK(outcome.out.find("no output       1 example,") != std::string::npos);
  CHECK(outcome.out.find("truth outside   2 examples") != std::string::npos);
  const std::map<std::string, double> rules = rules_of(scratch);
  CHECK(weight_of(rules, "ROOT -> S") == 0);
  CHECK(weight_of(rules, "S -> A") == 0);  // three times; S -> B never
  CHECK(weight_of(rules, "S -> B") == -100);
  CHECK(weight_of(rules, "B -> a") == 0);
  CHECK(weight_of(rules, "B -> a a") == -100);
  CHECK(scratch.finished("run")["train"]["no_output"] == 1);
  // An example without an output has no slack. The best trees of the others are those of A by far.
  const double norm = 0.5 * (100.0 * 100 + 100.0 * 100);
  CHECK(scratch.finished("run")["primal_low"].get<double>() >= norm);
}

TEST_CASE(
    "a sentence without a tree is counted by train and evaluate, and predicted as an empty line") {
  const Scratch scratch;
  scratch.write("test.trees", "(S (A a a))\n(S (A b))\n(S (A a a a))\n");
  const Outcome outcome =
      count_rules(scratch, two_kinds, "", R"("grammar")", R"(, "test": "test.trees")");
  INFO(outcome.err);
  REQUIRE(outcome.exit == 3);
  const Json event = scratch.finished("run");
  CHECK(event["test"]["no_output"] == 2);
  CHECK(event["test"]["examples"] == 1);
  CHECK(event["test"]["complete_match"].get<double>() == Approx(1 / 3.0));
  CHECK_FALSE(event["train"].contains("no_output"));
  const Outcome evaluated = scratch.sculpt({"evaluate", "run", "test.trees", "--json"});
  CHECK(evaluated.exit == 0);
  CHECK(Json::parse(evaluated.out)["no_output"] == 2);
  scratch.write("new.txt", "a a\nb\na a a\n");
  CHECK(scratch.sculpt({"predict", "run", "new.txt"}).out == "(ROOT (S (A a a)))\n\n\n");
}

TEST_CASE("threads: generative reports no P if it is stopped before all answers") {
  const Scratch scratch;
  std::string sequence;
  for (int k = 0; k < 350; ++k) sequence += "GGAACC"[k % 6], sequence += "ACGU"[k % 4];
  const std::string structure(sequence.size(), '.');
  scratch.write("long.json", R"({"dataset": {"use": "dot_bracket", "train": {"text": ">a\n)" +
                                 sequence + "\\n" + structure + R"(\n"}},
      "features": "rna", "loss": "zero_one", "oracle": "rna",
      "solver": "generative"})");
  // A stop before the truth is counted leaves no run. A stop after the answer leaves a finished
  // run.
  for (int milliseconds = 1; milliseconds < 2000; milliseconds *= 2) {
    Process process = scratch.start({"train", "long.json", "--output", "run", "--force"});
    REQUIRE(scratch.wait_for_event(process, "run", "started"));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    process.signal(SIGINT);
    const Outcome outcome = process.wait();
    INFO(outcome.err);
    if (outcome.exit == 130) continue;
    REQUIRE(outcome.exit == 3);
    const Json event = scratch.finished("run");
    if (event["stopped_by"] == "counted") continue;
    CHECK(event["stopped_by"] == "signal");
    for (const char* key : {"primal", "primal_low", "primal_high", "dual"}) {
      CHECK(event[key] == nullptr);
    }
    CHECK(event["checkpoint_written"] == true);
    const Outcome again = scratch.sculpt({"train", "long.json", "--output", "run", "--resume"});
    INFO(again.err);
    CHECK(again.exit == 3);
    CHECK(scratch.finished("run")["stopped_by"] == "counted");
    return;
  }
  FAIL("was not stopped while it asked");
}
