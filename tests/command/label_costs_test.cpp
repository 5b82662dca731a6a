// The loss weighted_hamming: the cost of a wrong label is that of the true one.

#include <doctest/doctest.h>

#include <map>
#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;
using doctest::Approx;

namespace {

// Words of random letters, so that no model reads all of them.
const char* const words =
    "1 0 0 a 1 10\n1 0 1 b 1 10\n1 0 2 c 0 01\n2 0 0 c 1 10\n2 0 1 a 0 01\n3 0 0 b 1 01\n"
    "3 0 1 b 1 10\n3 0 2 a 0 10\n4 0 0 c 1 01\n4 0 1 c 0 10\n5 0 0 a 0 01\n";

Outcome train_with_costs(const Scratch& scratch, const std::string& loss,
                         const std::string& rescaling = "margin") {
  scratch.write("words.txt", words);
  scratch.write("words.json", R"({"dataset": {"use": "letters", "train": "words.txt"},
      "features": "chain", "oracle": "viterbi", "loss": )" +
                                  loss +
                                  R"(, "solver": {"use": "n_slack", "C": 0.5, "rescaling": ")" +
                                  rescaling + "\"}}");
  return scratch.sculpt({"train", "words.json", "--output", "run", "--force"});
}

const std::vector<std::string> truths = {"abc", "ca", "bba", "cc", "a"};

// The mean loss of the predictions, by the definition.
double mean_cost(const Scratch& scratch, const std::map<char, double>& costs, bool normalize) {
  std::istringstream lines(scratch.sculpt({"predict", "run", "words.txt"}).out);
  double total = 0;
  for (const std::string& truth : truths) {
    std::string guess;
    std::getline(lines, guess);
    REQUIRE(guess.size() == truth.size());
    double wrong = 0;
    double all = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) {
      all += costs.at(truth[t]);
      wrong += guess[t] != truth[t] ? costs.at(truth[t]) : 0;
    }
    total += normalize && all > 0 ? wrong / all : wrong;
  }
  return total / static_cast<double>(truths.size());
}

}  // namespace

TEST_CASE("the loss of a model is the cost of the true labels that it misses") {
  const std::map<char, double> costs = {{'a', 0.25}, {'b', 3}, {'c', 0.5}};
  for (const bool normalize : {false, true}) {
    const Scratch scratch;
    const Outcome trained =
        train_with_costs(scratch, R"({"use": "weighted_hamming", "label_costs": ["a:0.25", "b:3"],
                     "default_cost": 0.5, "normalize": )" +
                                      std::string(normalize ? "true}" : "false}"));
    INFO(trained.err);
    REQUIRE(trained.exit == 0);
    const Json measured =
        Json::parse(scratch.sculpt({"evaluate", "run", "words.txt", "--json"}).out);
    CHECK(measured["loss"].get<double>() > 0);
    CHECK(measured["loss"].get<double>() == Approx(mean_cost(scratch, costs, normalize)));
    CHECK(measured.contains("label_error"));
  }
}

TEST_CASE("with equal costs weighted_hamming has the optimum of hamming") {
  const Scratch scratch;
  REQUIRE(train_with_costs(scratch, "\"hamming\"").exit == 0);
  const double hamming = scratch.finished("run")["primal"];
  REQUIRE(train_with_costs(scratch, "\"weighted_hamming\"").exit == 0);
  CHECK(scratch.finished("run")["primal"].get<double>() == Approx(hamming).epsilon(2e-3));
}

// Under margin rescaling a cost only moves the margin. Slack rescaling also multiplies the slack.
TEST_CASE("a higher cost of a label makes it be missed less often under slack rescaling") {
  const Scratch scratch;
  const auto missed = [&](const std::string& cost) {
    REQUIRE(train_with_costs(scratch,
                             R"({"use": "weighted_hamming", "label_costs": ["b:)" + cost + "\"]}",
                             "slack")
                .exit == 0);
    return mean_cost(scratch, {{'a', 0}, {'b', 1}, {'c', 0}}, false);
  };
  CHECK(missed("100") < missed("0"));
}

TEST_CASE("label_costs that are no costs, or of no label, are refused") {
  const Scratch scratch;
  const auto refuse = [&](const std::string& list, const std::string& text) {
    check_refused(
        scratch,
        train_with_costs(scratch, R"({"use": "weighted_hamming", "label_costs": )" + list + "}"),
        exit_config, {text});
  };
  refuse(R"(["a"])", "label_costs has 'a'; write LABEL:COST with a cost from 0 to 1e6");
  refuse(R"(["a:-1"])", "label_costs has 'a:-1'; write LABEL:COST");
  refuse(R"(["a:1", "a:2"])", "label_costs has two costs for the label 'a'");
  refuse(R"(["a:0", "b:0", "c:0"])", "no label has a cost above 0, so every output has loss 0");
  refuse(R"(["A:2"])", "label_costs has the label 'A', but the labels of the training data are a");
}
