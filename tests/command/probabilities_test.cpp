// predict --nbest, --sample, --marginals and --decode, and the metrics of probabilities, against
// the list of all outputs.

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;
using doctest::Approx;

namespace {


// Two words over a, b, c: of three letters and of two, so with 27 and 9 outputs.
const char* const two_words =
    "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n";

Outcome train_model(const Scratch& scratch, const std::string& solver, const std::string& oracle) {
  scratch.write("words.txt", two_words);
  scratch.write("words.json", R"({"dataset": {"use": "letters", "train": "words.txt"},
      "features": "chain", "loss": "hamming", "oracle": ")" +
                                  oracle + R"(", "solver": )" + solver + "}");
  return scratch.sculpt({"train", "words.json", "--output", "run", "--force"});
}

Outcome predict(const Scratch& scratch, std::vector<std::string> options) {
  std::vector<std::string> words = {"predict", "run", "words.txt"};
  words.insert(words.end(), options.begin(), options.end());
  return scratch.sculpt(words);
}

struct Listed {
  int rank = 0;
  double score = 0;
  double probability = -1;  // -1: not printed
  std::string output;
};

// The blocks of --nbest and --sample: one list for each example.
std::vector<std::vector<Listed>> blocks_of(const std::string& text, const std::string& word) {
  std::vector<std::vector<Listed>> examples;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string hash, name, score, probability;
    Listed one;
    words >> hash >> name >> one.rank >> score >> one.score;
    REQUIRE(hash == "#");
    REQUIRE(name == word);
    if (words >> probability >> one.probability) REQUIRE(probability == "probability");
    std::getline(lines, one.output);
    if (one.rank == 1) examples.emplace_back();
    examples.back().push_back(one);
  }
  return examples;
}

const std::vector<std::string> crf_solvers = {
    R"({"use": "crf", "C": 10})",
    R"({"use": "crf", "C": 10, "loss_weight": 1, "temperature": 0.5})"};

}  // namespace

TEST_CASE("predict --nbest lists all outputs in order, and their probabilities add up to 1") {
  for (const std::string& solver : crf_solvers) {
    for (const std::string oracle : {"viterbi", "enumerate"}) {
      const Scratch scratch;
      REQUIRE(train_model(scratch, solver, oracle).exit == 0);
      const Outcome all = predict(scratch, {"--nbest", "1000"});
      INFO(all.err);
      REQUIRE(all.exit == 0);
      const auto examples = blocks_of(all.out, "rank");
      REQUIRE(examples.size() == 2);
      CHECK(examples[0].size() == 27);
      CHECK(examples[1].size() == 9);
      const double T = contains(solver, "temperature") ? 0.5 : 1;
      for (const std::vector<Listed>& listed : examples) {
        double sum = 0;
        std::map<std::string, int> seen;
        for (std::size_t k = 0; k < listed.size(); ++k) {
          CHECK(listed[k].rank == static_cast<int>(k) + 1);
          CHECK(++seen[listed[k].output] == 1);
          sum += listed[k].probability;
          if (k > 0) CHECK(listed[k].score <= listed[k - 1].score);
          CHECK(listed[k].probability ==
                Approx(listed[0].probability * std::exp((listed[k].score - listed[0].score) / T)));
        }
        CHECK(sum == Approx(1).epsilon(1e-9));
      }
      const Outcome best = predict(scratch, {});
      CHECK(best.out == examples[0][0].output + "\n" + examples[1][0].output + "\n");
      const Outcome two = predict(scratch, {"--nbest", "2", "--threads", "3"});
      CHECK(contains(all.out, two.out.substr(0, two.out.find('\n'))));
      CHECK(blocks_of(two.out, "rank")[1].size() == 2);
    }
  }
}

TEST_CASE("predict --marginals are sums of the probabilities of all outputs") {
  for (const std::string& solver : crf_solvers) {
    const Scratch scratch;
    REQUIRE(train_model(scratch, solver, "viterbi").exit == 0);
    const auto examples = blocks_of(predict(scratch, {"--nbest", "1000"}).out, "rank");
    const Outcome outcome = predict(scratch, {"--marginals"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    std::istringstream lines(outcome.out);
    std::string names;
    std::getline(lines, names);
    CHECK(names == "# a b c");
    std::string most_probable;
    for (const std::vector<Listed>& listed : examples) {
      for (std::size_t v = 0; v < listed[0].output.size(); ++v) {
        double largest = 0;
        char best = 0;
        for (const char label : {'a', 'b', 'c'}) {
          double printed = -1;
          lines >> printed;
          double sum = 0;
          for (const Listed& one : listed) sum += one.output[v] == label ? one.probability : 0;
          CHECK(printed == Approx(sum).epsilon(1e-9));
          if (printed > largest) largest = printed, best = label;
        }
        most_probable += best;
      }
      most_probable += '\n';
    }
    CHECK(predict(scratch, {"--decode", "max-marginal"}).out == most_probable);
    CHECK(predict(scratch, {"--decode", "max-product"}).out == predict(scratch, {}).out);
  }
}

TEST_CASE(
    "marginals of label sets have one line for each example, named by the sets of one label") {
  const Scratch scratch;
  scratch.write("sets.txt", "1 1:1\n2 2:1\n1,2 1:1 2:1\n- 1:-1\n");
  scratch.write("sets.json", R"({"dataset": {"use": "mlsvml", "train": "sets.txt"},
      "features": "multilabel", "loss": "hamming", "oracle": "enumerate",
      "solver": {"use": "crf", "C": 10}})");
  const Outcome trained = scratch.sculpt({"train", "sets.json", "--output", "run"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  const Outcome outcome = scratch.sculpt({"predict", "run", "sets.txt", "--marginals"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  std::istringstream lines(outcome.out);
  std::string names;
  std::getline(lines, names);
  CHECK(names == "# 1 2");
  double first = 0, second = 0;
  lines >> first >> second;
  CHECK(first > 0.5);
  CHECK(second < first);
}

TEST_CASE("predict --sample draws by the probabilities, the same for the same seed") {
  const Scratch scratch;
  REQUIRE(train_model(scratch, R"({"use": "crf", "C": 1, "temperature": 2})", "viterbi").exit == 0);
  const Outcome drawn = predict(scratch, {"--sample", "3000", "--seed", "7"});
  INFO(drawn.err);
  REQUIRE(drawn.exit == 0);
  CHECK(predict(scratch, {"--sample", "3000", "--seed", "7", "--threads", "3"}).out == drawn.out);
  CHECK(predict(scratch, {"--sample", "3000", "--seed", "8"}).out != drawn.out);
  const auto examples = blocks_of(predict(scratch, {"--nbest", "1000"}).out, "rank");
  const auto draws = blocks_of(drawn.out, "draw");
  REQUIRE(draws.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    std::map<std::string, double> counts;
    for (const Listed& one : draws[i]) counts[one.output] += 1;
    for (const Listed& one : examples[i]) {
      const double expected = 3000 * one.probability;
      CHECK(std::abs(counts[one.output] - expected) < 5 * std::sqrt(expected) + 5);
    }
    for (const Listed& one : draws[i]) {
      for (const Listed& listed : examples[i]) {
        if (listed.output == one.output) CHECK(one.probability == Approx(listed.probability));
      }
    }
  }
}

TEST_CASE("evaluate prints the log-loss, perplexity and calibration of a crf") {
  const Scratch scratch;
  REQUIRE(train_model(scratch, crf_solvers[0], "viterbi").exit == 0);
  const auto examples = blocks_of(predict(scratch, {"--nbest", "1000"}).out, "rank");
  double log_loss = 0;
  for (const Listed& one : examples[0])
    log_loss -= one.output == "abc" ? std::log(one.probability) : 0;
  for (const Listed& one : examples[1])
    log_loss -= one.output == "ca" ? std::log(one.probability) : 0;
  const Outcome outcome = scratch.sculpt({"evaluate", "run", "words.txt", "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json json = Json::parse(outcome.out);
  CHECK(json["log_loss"].get<double>() == Approx(log_loss / 2).epsilon(1e-9));
  CHECK(json["perplexity"].get<double>() == Approx(std::exp(log_loss / 5)).epsilon(1e-9));
  CHECK(json.contains("calibration_error"));
  CHECK(json["log_loss_examples"] == 2);
  // train measures the same.
  const Json trained = scratch.finished("run");
  for (const char* name : {"log_loss", "perplexity", "calibration_error", "log_loss_examples"}) {
    CHECK(trained["train"][name] == json[name]);
  }
  CHECK(trained["better"]["log_loss"] == "lower");
  REQUIRE(train_model(scratch, R"("n_slack")", "viterbi").exit == 0);
  CHECK_FALSE(contains(scratch.sculpt({"evaluate", "run", "words.txt"}).out, "log_loss"));
  CHECK_FALSE(scratch.finished("run")["train"].contains("log_loss"));
}

TEST_CASE("evaluate --decode max-marginal measures what predict prints with it") {
  const Scratch scratch;
  scratch.write("words.txt", two_words);
  // All probabilities nearly equal, so the two ways to decode differ.
  scratch.write("other.txt",
                "1 0 0 a 1 11\n1 0 1 b 1 00\n1 0 2 c 0 00\n2 0 0 c 1 01\n2 0 1 a 0 01\n"
                "3 0 0 b 1 00\n3 0 1 a 1 11\n3 0 2 c 1 01\n3 0 3 b 0 00\n");
  REQUIRE(train_model(scratch, R"({"use": "crf", "C": 10})", "viterbi").exit == 0);
  const auto error_of = [&](const std::string& way) {
    const Outcome printed = scratch.sculpt({"predict", "run", "other.txt", "--decode", way});
    REQUIRE(printed.exit == 0);
    std::string letters;
    for (const char c : printed.out) letters += c == '\n' ? "" : std::string(1, c);
    const std::string truth = "abccabacb";
    REQUIRE(letters.size() == truth.size());
    double wrong = 0;
    for (std::size_t k = 0; k < truth.size(); ++k) wrong += letters[k] != truth[k] ? 1 : 0;
    const Outcome measured =
        scratch.sculpt({"evaluate", "run", "other.txt", "--json", "--decode", way});
    INFO(measured.err);
    REQUIRE(measured.exit == 0);
    CHECK(Json::parse(measured.out)["label_error"].get<double>() == Approx(wrong / 9));
    return letters;
  };
  CHECK(error_of("max-marginal") != error_of("max-product"));
  const Outcome refused = scratch.sculpt({"evaluate", "run", "other.txt", "--decode", "best"});
  CHECK(refused.exit == exit_usage);
  CHECK(contains(refused.err, "--decode must be max-product or max-marginal, not \"best\""));
  REQUIRE(train_model(scratch, R"("n_slack")", "viterbi").exit == 0);
  const Outcome without =
      scratch.sculpt({"evaluate", "run", "other.txt", "--decode", "max-marginal"});
  CHECK(without.exit == exit_config);
  CHECK(contains(without.err, "--decode max-marginal: this model was not trained on a log-loss"));
}

TEST_CASE("a model without probabilities lists scores, and says why it has no more") {
  const Scratch scratch;
  REQUIRE(train_model(scratch, R"({"use": "n_slack", "C": 10})", "viterbi").exit == 0);
  const auto examples = blocks_of(predict(scratch, {"--nbest", "3"}).out, "rank");
  REQUIRE(examples.size() == 2);
  for (const Listed& one : examples[0]) CHECK(one.probability == -1);
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--marginals"}, {"--sample", "2"}, {"--decode", "max-marginal"}}) {
    const Outcome outcome = predict(scratch, options);
    CHECK(outcome.exit == exit_config);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, "this model was not trained on a log-loss"));
  }
  const Outcome other = predict(scratch, {"--nbest", "2", "--set", "oracle=icm"});
  CHECK(other.exit == exit_config);
  CHECK(contains(other.err, "icm offers no k best outputs"));
}

TEST_CASE("options of predict that do not fit are refused before anything is read") {
  const Scratch scratch;
  const auto refused = [&](const std::vector<std::string>& options, const std::string& text) {
    const Outcome outcome = predict(scratch, options);  // there is no model
    CHECK(outcome.exit == exit_usage);
    CHECK_MESSAGE(contains(outcome.err, text), outcome.err);
  };
  refused({"--nbest", "0"}, "--nbest must be at least 1, not 0");
  refused({"--sample", "-3"}, "--sample must be at least 1, not -3");
  refused({"--nbest", "2", "--marginals"}, "--nbest and --marginals exclude each other");
  refused({"--scores", "--decode", "max-marginal"}, "--scores and --decode exclude each other");
  refused({"--sample", "2", "--seed", "-1"}, "--seed must be at least 0, not -1");
  refused({"--seed", "3"}, "--seed decides what --sample draws");
  refused({"--decode", "best"}, "--decode must be max-product or max-marginal, not \"best\"");
}
