// Choosing documents that cover many subtopics, from training to prediction.

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Topics of 14 documents. Each subtopic has its own word, which all documents about it contain.
// Documents also contain other words. Two documents have many other words and no subtopic.
std::string topics(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (int topic = 0; topic < count; ++topic) {
    text += "topic " + std::to_string(topic) + "\n";
    for (int document = 0; document < 12; ++document) {
      const std::string first = std::to_string(random() % 7);
      const std::string second = std::to_string(random() % 7);
      text += "document d" + std::to_string(document) + " | s" + first + " s" + second + " | own" +
              first + " own" + second;
      for (auto more = random() % 12; more > 0; --more) {
        text += " w" + std::to_string(random() % 300);
      }
      text += "\n";
    }
    for (const std::string other : {"u", "v"}) {
      text += "document " + other + " | |";
      for (int word = 0; word < 12; ++word) text += " " + other + std::to_string(word);
      text += "\n";
    }
  }
  return text;
}

Outcome train_diversity(const Scratch& scratch, const std::string& text,
                        const std::vector<std::string>& more = {}) {
  scratch.write("topics.txt", text);
  scratch.write("diversity.json", R"({
  "dataset": {"use": "topics", "k": 3, "train": "topics.txt"},
  "features": {"use": "coverage", "frequency": [0.1, 0.2, 0.4]}, "loss": "subtopics",
  "oracle": ["greedy_coverage", "exact_coverage"], "solver": {"use": "n_slack", "C": 1000}})");
  std::vector<std::string> words{"train", "diversity.json"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

}  // namespace

TEST_CASE(
    "choices of documents: training is certified, and predict prints the names of documents") {
  const Scratch scratch;
  const Outcome outcome = train_diversity(scratch, topics(10, 1), {"--output", "run"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json end = scratch.finished("run");
  CHECK(end["certified"] == true);
  CHECK(end["train"]["coverage"].get<double>() > 0.5);
  CHECK(end["train"]["loss_at_k"].get<double>() < 0.5);
  scratch.write("new.txt",
                "topic n\ndocument a | a1 a2 a3 a4\ndocument b | x\ndocument c | x\n"
                "document d | y\ndocument e | y\ndocument f | z\ndocument g | z\n");
  const Outcome predicted = scratch.sculpt({"predict", "run", "new.txt"});
  INFO(predicted.err);
  REQUIRE(predicted.exit == 0);
  CHECK(predicted.out == "b d f\n");  // their words occur in several documents
}

TEST_CASE("nonnegative keeps the weights of words at 0 or above, and without it some are below 0") {
  const Scratch scratch;
  for (const char* nonnegative : {"true", "false"}) {
    const Outcome outcome = train_diversity(
        scratch, topics(6, 2),
        {"--output", nonnegative, "--set", std::string("features.nonnegative=") + nonnegative});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
  }
  const auto smallest = [&](const std::string& run) {
    const std::vector<double> w = weights_of(scratch.read(run + "/model.sculpt"));
    return *std::min_element(w.begin(), w.end());
  };
  CHECK(smallest("true") >= 0);
  CHECK(smallest("false") < 0);
}

TEST_CASE("greedy_coverage alone is not certified, and exact_coverage reaches the target") {
  const Scratch scratch;
  const auto run = [&](const std::string& name, const std::string& oracle) {
    const Outcome outcome =
        train_diversity(scratch, topics(20, 3), {"--output", name, "--set", "oracle=" + oracle});
    INFO(outcome.err);
    REQUIRE((outcome.exit == 0 || outcome.exit == 3));
    return scratch.finished(name);
  };
  const Json alone = run("greedy", "greedy_coverage");
  CHECK(alone["certified"] == false);
  const Json bounded = run("bounded", R"({"use": "greedy_coverage", "bound": "always"})");
  const Json exact = run("exact", "exact_coverage");
  const Json both = run("both", R"(["greedy_coverage", "exact_coverage"])");
  for (const Json& certified : {exact, both}) {
    CHECK(certified["certified"] == true);
    CHECK(certified["stopped_by"] == "relative_gap");
    // The planes of each run are valid for all runs, and a bounded primal is not below the optimum.
    CHECK(alone["dual"].get<double>() <= certified["primal"].get<double>());
    CHECK(bounded["dual"].get<double>() <= certified["primal"].get<double>());
    CHECK(bounded["primal"].get<double>() >= certified["dual"].get<double>());
    CHECK(both["dual"].get<double>() <= certified["primal"].get<double>());
  }
}

TEST_CASE("choices of documents give the same model on one thread and on two") {
  const Scratch scratch;
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome = train_diversity(
        scratch, topics(10, 4), {"--threads", threads, "--output", std::string("run") + threads});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
  }
  CHECK(scratch.read("run1/model.sculpt") == scratch.read("run2/model.sculpt"));
}

TEST_CASE("slack rescaling of choices of documents is certified by a search over loss weights") {
  const Scratch scratch;
  const Outcome outcome = train_diversity(
      scratch, topics(6, 5),
      {"--output", "run", "--set", "solver.rescaling=slack", "--set", "solver.C=1"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(scratch.finished("run")["certified"] == true);
}

TEST_CASE("topics that cannot be trained on are refused with their place and the remedy") {
  const Scratch scratch;
  check_refused(scratch,
                train_diversity(scratch, "topic 1\ndocument a | s | x\ndocument b | t | x\n"), 65,
                {"topics.txt:1:1: topic '1' has 2 documents, but k is 3; lower k"});
  check_refused(
      scratch,
      train_diversity(scratch, "topic 1\ndocument a | x\ndocument b | x\ndocument c | x\n"), 65,
      {"topics.txt:1:1: the subtopics of topic '1' are unknown"});
  check_refused(scratch, train_diversity(scratch, topics(2, 6), {"--set", "loss=zero_one"}), 78,
                {"diversity.json:", "supports only the loss `subtopics`"});
}
