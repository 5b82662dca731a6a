// Deprecated keys of every part of an experiment are warned about, each once.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string warning =
    "the key \"steps\" of old_keys is deprecated: It has no effect. Leave it out.";

// Trains on three labels with these keys of the experiment: "oracle" and others.
Outcome train_keys(const Scratch& scratch, const std::string& keys) {
  scratch.write("keys.json",
                R"({"dataset": {"use": "keys", "train": {"text": "0 1 1"}, "must": "be"},
                    "features": "keys", "loss": "keys", "solver": "n_slack", )" +
                    keys + "}");
  return scratch.sculpt(with_test_plugins({"train", "keys.json", "--output", "run", "--force"}));
}

int count_of(const std::string& part, const std::string& text) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a deprecated key is warned about once, in training and in what is only measured") {
  const Scratch scratch;
  const std::string old = R"({"use": "old_keys", "steps": 4})";
  const auto warnings = [&](const std::string& keys) {
    const Outcome outcome = train_keys(scratch, keys);
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    return count_of(warning, outcome.err);
  };
  CHECK(warnings(R"("oracle": )" + old) == 1);
  CHECK(warnings(R"("oracle": "keys", "predict_with": [)" + old + "]") == 1);
  CHECK(warnings(R"("oracle": "keys", "audit_with": )" + old) == 1);
  CHECK(warnings(R"("oracle": )" + old + R"(, "predict_with": ["keys"], "audit_with": )" + old) ==
        1);
  CHECK(warnings(R"("oracle": {"use": "old_keys", "steps": 1})") == 0);
}

TEST_CASE("a sweep warns about a deprecated key once, not at each point") {
  const Scratch scratch;
  REQUIRE(train_keys(scratch, R"("oracle": {"use": "old_keys", "steps": 4})").exit == 0);
  const Outcome outcome = scratch.sculpt(with_test_plugins(
      {"sweep", "keys.json", "--output", "sweep", "--set", "solver.C=1,2,4", "--folds", "2"}));
  INFO(outcome.err);
  CHECK(count_of(warning, outcome.err) == 1);
}

TEST_CASE(
    "predict warns about a deprecated key that the command line sets, not about the model's") {
  const Scratch scratch;
  REQUIRE(train_keys(scratch, R"("oracle": {"use": "old_keys", "steps": 4})").exit == 0);
  scratch.write("new.txt", "0 1\n");
  const auto predict = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"predict", "run", "new.txt"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = scratch.sculpt(words, {{"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}});
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    return count_of(warning, outcome.err);
  };
  CHECK(predict({}) == 0);
  CHECK(predict({"--set", "oracle.steps=3"}) == 1);
}
