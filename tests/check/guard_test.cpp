// train --guard: plugins of the zoo that a plain run does not notice, or whose crash it cannot
// explain.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "check/check_outcome.hpp"

using namespace sculpt::test;

namespace {

constexpr const char* experiment = R"({
  "dataset": {"use": "tagger", "train": {"text":
    "b:1\na:-1 c:0.5\nc:1 b:2 a:0\nb:0.25 b:-3 c:1\na:1 c:1 b:1 b:2\n"}},
  "features": "tagger", "loss": "tagger", "oracle": "tagger",
  "solver": {"use": "n_slack", "C": 1, "relative_gap": 1e-4}})";

// `sculpt train` with a plugin of the zoo.
Outcome train(const Scratch& scratch, const std::string& plugin, const std::string& output,
              const std::vector<std::string>& more) {
  scratch.write("tagger.json", experiment);
  std::vector<std::string> words = {
      "train", "tagger.json", "--output",
      output,  "--set",       std::string("plugin_path=[\"") + SCULPT_ZOO + "/" + plugin + "\"]"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

// Likewise with a map_solver of the zoo and its frontier.
Outcome train_frontier(const Scratch& scratch, const std::string& plugin, const std::string& output,
                       const std::vector<std::string>& more) {
  write_small_experiment(scratch);
  std::vector<std::string> words = {"train",    "small.json",
                                    "--output", output,
                                    "--set",    "solver.rescaling=slack",
                                    "--set",    "loss=zero_one",
                                    "--set",    "oracle=" + zoo_plugin(plugin) + "#enumerate"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

using Train = decltype(train);

void check_caught(const std::string& plugin, const std::string& text, Train& train_with = train) {
  for (const char* threads : {"1", "2"}) {
    for (const char* solver : {"n_slack", "one_slack"}) {
      INFO(plugin, ", ", threads, " threads, ", solver);
      const Scratch scratch;
      const Outcome outcome = train_with(
          scratch, plugin, "run",
          {"--guard", "--threads", threads, "--set", std::string("solver.use=") + solver});
      INFO(outcome.err);
      CHECK(outcome.exit == 69);
      CHECK(outcome.err.find(text) != std::string::npos);
      const std::size_t advice = outcome.err.find("\n  to look for the fault: sculpt check ");
      REQUIRE(advice != std::string::npos);
      const bool of_example = outcome.err.find(": example ") != std::string::npos;
      CHECK((outcome.err.find(" --example ", advice) != std::string::npos) == of_example);
      CHECK_FALSE(fs::exists(scratch / "run/model.sculpt"));
    }
  }
}

}  // namespace

TEST_CASE("what is right gives the same model with --guard") {
  const Scratch scratch;
  for (const char* solver : {"n_slack", "one_slack"}) {
    const std::string use = std::string("solver.use=") + solver;
    const std::string plain = std::string(solver) + "_plain";
    const std::string guarded = std::string(solver) + "_guarded";
    CHECK(train(scratch, "right", plain, {"--set", use}).exit == 0);
    CHECK(train(scratch, "right", guarded, {"--set", use, "--guard"}).exit == 0);
    CHECK(scratch.read(plain + "/model.sculpt") == scratch.read(guarded + "/model.sculpt"));
  }
}

TEST_CASE("with --guard an oracle that writes to w is caught in the act") {
  check_caught("writes_to_w", ": crashed in argmax (SIGSEGV): it writes to w, which is lent");
}

TEST_CASE("with --guard an oracle that reads beyond w is caught in the act") {
  check_caught("reads_past_w", ": crashed in argmax (SIGSEGV): it reads or writes behind w");
}

TEST_CASE(
    "with --guard an oracle that reads one weight too many computes with NaN, and is refused") {
  check_caught("reads_one_past_w", "the value of its answer is nan");
}

TEST_CASE("with --guard an oracle whose answer depends on the call before is refused") {
  check_caught("stale_scratch", "The oracle carries something from call to call");
  check_caught("moody", "The oracle carries something from call to call");
}

TEST_CASE("with --guard a frontier that depends on the call before is refused") {
  check_caught("frontier_drifts", "what differs is its scores of ", train_frontier);
  check_caught("frontier_moody", "what differs is its output of ", train_frontier);
  check_caught("frontier_shrinks", "what differs is its sizes", train_frontier);
}

TEST_CASE("a frontier that is right gives the same model with --guard") {
  const Scratch scratch;
  for (const char* oracle : {"enumerate", "viterbi"}) {
    const std::vector<std::string> words = {"train", "small.json",
                                            "--set", "solver.rescaling=slack",
                                            "--set", std::string("oracle=") + oracle};
    const auto run = [&](std::vector<std::string> more) {
      more.insert(more.begin(), words.begin(), words.end());
      return scratch.sculpt(more).exit;
    };
    write_small_experiment(scratch);
    const std::string name = oracle;
    CHECK(run({"--output", name + "_plain"}) == 0);
    CHECK(run({"--output", name + "_guarded", "--guard"}) == 0);
    CHECK(scratch.read(name + "_plain/model.sculpt") ==
          scratch.read(name + "_guarded/model.sculpt"));
  }
}

TEST_CASE("with --guard a loss or features that change are refused") {
  check_caught("loss_drifts", "the loss of the same output is");
  check_caught("psi_drifts", "the features of the same output are others");
}

TEST_CASE("a crash report says how to get there again, and what is copied does") {
  const Scratch scratch;
  const Outcome first = train(scratch, "segfault", "my run", {});
  CHECK(first.exit == 69);
  const std::string again = "sculpt train tagger.json --set 'plugin_path=[\"" +
                            std::string(SCULPT_ZOO) + "/segfault\"]' --output '" +
                            (scratch / "my run").string() + "' --resume\n";
  CHECK(first.err.find("example 2: crashed in argmax (SIGSEGV)\n") != std::string::npos);
  CHECK(first.err.find(again) != std::string::npos);
  const Outcome second = train(scratch, "segfault", "my run", {"--resume"});
  CHECK(second.exit == 69);
  CHECK(second.err.find("example 2: crashed in argmax (SIGSEGV)\n") != std::string::npos);
}
