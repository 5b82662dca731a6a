// train --guard finds faults of plugins that a run without --guard does not detect or explain.
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

// Runs `sculpt train` with a mutant of the tagger.
Outcome train(const Scratch& scratch, const std::string& plugin, const std::string& output,
              const std::vector<std::string>& more) {
  scratch.write("tagger.json", experiment);
  std::vector<std::string> words = {
      "train",    "tagger.json",
      "--output", output,
      "--set",    std::string("plugin_path=[\"") + SCULPT_FAULTY_PLUGINS + "/" + plugin + "\"]"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

// Runs `sculpt train` with a mutant of enumerate, which offers a frontier.
Outcome train_frontier(const Scratch& scratch, const std::string& plugin, const std::string& output,
                       const std::vector<std::string>& more) {
  write_small_experiment(scratch);
  std::vector<std::string> words = {"train",    "small.json",
                                    "--output", output,
                                    "--set",    "solver.rescaling=slack",
                                    "--set",    "loss=zero_one",
                                    "--set",    "oracle=" + mutant_library(plugin) + "#enumerate"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

using Train = decltype(train);

// Checks that the run with --guard fails and writes no model. Its message must have `text` and the
// command that looks for the fault.
void check_found_by_guard(const std::string& plugin, const std::string& text,
                          Train& train_with = train) {
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
      const bool names_example = outcome.err.find(": example ") != std::string::npos;
      CHECK((outcome.err.find(" --example ", advice) != std::string::npos) == names_example);
      CHECK_FALSE(fs::exists(scratch / "run/model.sculpt"));
    }
  }
}

}  // namespace

TEST_CASE("train --guard: a correct plugin gives the same model") {
  const Scratch scratch;
  for (const char* solver : {"n_slack", "one_slack"}) {
    const std::string use = std::string("solver.use=") + solver;
    const std::string plain = std::string(solver) + "_plain";
    const std::string guarded = std::string(solver) + "_guarded";
    CHECK(train(scratch, "correct", plain, {"--set", use}).exit == 0);
    CHECK(train(scratch, "correct", guarded, {"--set", use, "--guard"}).exit == 0);
    CHECK(scratch.read(plain + "/model.sculpt") == scratch.read(guarded + "/model.sculpt"));
  }
}

TEST_CASE("train --guard: an oracle that writes to w is stopped at once") {
  check_found_by_guard("writes_to_w",
                       ": crashed in argmax (SIGSEGV): it writes to w, which is read-only");
}

TEST_CASE("train --guard: an oracle that reads beyond w is stopped at once") {
  check_found_by_guard("reads_past_w",
                       ": crashed in argmax (SIGSEGV): it reads or writes after the end of w");
}

TEST_CASE("train --guard: an oracle that reads one weight too many gets NaN and is refused") {
  check_found_by_guard("reads_one_past_w", "the value of its answer is nan");
}

TEST_CASE("train --guard: reads after the end of an output or of a truth stop the plugin at once") {
  const std::string after = " (SIGSEGV): it reads or writes after the end of the labels of ";
  check_found_by_guard("short_answer", "example 3: crashed in loss" + after + "the output");
  check_found_by_guard("psi_past_output", ": crashed in accumulate" + after + "the output");
  check_found_by_guard("loss_past_output", ": crashed in loss" + after + "the output");
  check_found_by_guard("oracle_past_truth", ": crashed in argmax" + after + "the truth");
}

TEST_CASE("train --guard: writes after the end of an output and to a truth are found at once") {
  check_found_by_guard("writes_past_output",
                       ": crashed in argmax (SIGSEGV): it reads or writes after the end of the "
                       "labels of its output");
  check_found_by_guard("writes_to_truth",
                       "writes to the labels of the truth, which it may only read");
}

TEST_CASE("train --guard: a label that the oracle does not write is found") {
  check_found_by_guard("skips_a_label", "its answer has the label -1 at position 2");
}

TEST_CASE("train --guard: an oracle whose answer depends on the call before is refused") {
  check_found_by_guard("stale_scratch", "The oracle keeps state between calls");
  check_found_by_guard("alternating_ties", "The oracle keeps state between calls");
}

TEST_CASE("train --guard: answers in a batch that are not those of argmax are refused") {
  const std::string text =
      "its answer in a batch (sculpt.batch-argmax/1) is not that of argmax; the difference is in ";
  check_found_by_guard("batch_keeps_state", text + "its value, ");
  check_found_by_guard("batch_drops_loss", text);
}

TEST_CASE("train --guard: psi and losses of a batch that are not those of each are refused") {
  check_found_by_guard("values_other_psi",
                       "psi of its output in a batch (sculpt.batch-features/draft-1) is not that");
  check_found_by_guard("values_other_loss", "the loss in a batch (sculpt.batch-loss/draft-1) is ");
}

TEST_CASE("train: values of batches change no result, also if their calls fail") {
  const Scratch scratch;
  CHECK(train(scratch, "correct", "alone", {}).exit == 0);
  const std::string model = scratch.read("alone/model.sculpt");
  for (const char* plugin : {"values_correct", "values_psi_fails", "values_loses_loss"}) {
    INFO(std::string(plugin));
    CHECK(train(scratch, plugin, plugin, {}).exit == 0);
    CHECK(scratch.read(std::string(plugin) + "/model.sculpt") == model);
  }
  CHECK(train(scratch, "values_correct", "guarded", {"--guard"}).exit == 0);
  CHECK(scratch.read("guarded/model.sculpt") == model);
}

TEST_CASE("train: correct batches change no result, also with --guard") {
  const Scratch scratch;
  for (const char* solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    const std::string use = std::string("solver.use=") + solver;
    const std::string name = solver;
    CHECK(train(scratch, "correct", name + "_alone", {"--set", use}).exit == 0);
    CHECK(train(scratch, "batch_correct", name + "_batch", {"--set", use}).exit == 0);
    CHECK(train(scratch, "batch_correct", name + "_guarded", {"--set", use, "--guard"}).exit == 0);
    const std::string model = scratch.read(name + "_alone/model.sculpt");
    CHECK(scratch.read(name + "_batch/model.sculpt") == model);
    CHECK(scratch.read(name + "_guarded/model.sculpt") == model);
  }
  const std::string list = R"(oracle=["tagger", "tagger"])";
  CHECK(train(scratch, "correct", "list_alone", {"--set", list}).exit == 0);
  CHECK(train(scratch, "batch_correct", "list_batch", {"--set", list}).exit == 0);
  CHECK(scratch.read("list_alone/model.sculpt") == scratch.read("list_batch/model.sculpt"));
}

TEST_CASE("train: an answer that a batch does not write is refused") {
  for (const char* guard : {"", "--guard"}) {
    const Scratch scratch;
    std::vector<std::string> more = {"--threads", "1"};
    if (*guard != '\0') more.emplace_back(guard);
    const Outcome outcome = train(scratch, "batch_loses_last", "run", more);
    INFO(outcome.err);
    CHECK(outcome.exit == 69);
    CHECK(outcome.err.find("the value of its answer is nan") != std::string::npos);
  }
}

TEST_CASE("train --guard: a frontier that depends on the call before is refused") {
  check_found_by_guard("frontier_drifts", "the difference is in its scores of ", train_frontier);
  check_found_by_guard("frontier_alternates", "the difference is in its output of ",
                       train_frontier);
  check_found_by_guard("frontier_shrinks", "the difference is in its sizes", train_frontier);
}

TEST_CASE("train --guard: a correct frontier gives the same model") {
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

TEST_CASE("train --guard: a loss or features that change between calls are refused") {
  check_found_by_guard("loss_drifts", "the loss of the same output is");
  check_found_by_guard("psi_drifts", "the features of the same output differ");
}

TEST_CASE("train: a loss that its counts contradict only where all labels are wrong is refused") {
  for (const char* oracle : {"viterbi", "enumerate"}) {
    for (const bool guard : {false, true}) {
      const Scratch scratch;
      scratch.write("words.json", R"({
        "dataset": {"use": "letters", "train": {"text":
          "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 11\n2 0 1 a 1 01\n2 0 2 a 1 10\n2 0 3 b 1 01\n2 0 4 a 1 11\n2 0 5 b 0 00\n"}},
        "features": "chain", "loss": "hamming", "oracle": "viterbi",
        "solver": {"use": "n_slack", "C": 1, "rescaling": "slack"}})");
      std::vector<std::string> words = {
          "train",    "words.json",
          "--output", "run",
          "--set",    "loss=" + mutant_library("six_errors") + "#hamming",
          "--set",    std::string("oracle=") + oracle};
      if (guard) words.emplace_back("--guard");
      const Outcome outcome = scratch.sculpt(words);
      INFO(outcome.err);
      CHECK(outcome.exit == 69);
      CHECK(outcome.err.find(
                "hamming: example 1: the loss of an output with 6 errors is 6, but its "
                "loss of these counts is 5; the two must be equal") != std::string::npos);
    }
  }
}

TEST_CASE("train: an answer of another length is refused, and a correct shape changes no result") {
  const Scratch scratch;
  const Outcome refused = train(scratch, "short_shaped_answer", "short", {});
  INFO(refused.err);
  CHECK(refused.exit == 69);
  CHECK(refused.err.find("tagger: example 3: its answer has 1 label; the outputs of this example "
                         "have 3, as tagger says (sculpt.output-shape/1)") != std::string::npos);
  CHECK_FALSE(fs::exists(scratch / "short/model.sculpt"));
  CHECK(train(scratch, "correct", "plain", {}).exit == 0);
  CHECK(train(scratch, "shaped", "shaped", {}).exit == 0);
  CHECK(scratch.read("plain/model.sculpt") == scratch.read("shaped/model.sculpt"));
}

TEST_CASE("train: a crash report has a command that leads to the same crash") {
  const Scratch scratch;
  const Outcome first = train(scratch, "segfault", "my run", {});
  CHECK(first.exit == 69);
  const std::string command = "sculpt train tagger.json --set 'plugin_path=[\"" +
                              std::string(SCULPT_FAULTY_PLUGINS) + "/segfault\"]' --output '" +
                              (scratch / "my run").string() + "' --resume\n";
  CHECK(first.err.find("example 2: crashed in argmax (SIGSEGV)\n") != std::string::npos);
  CHECK(first.err.find(command) != std::string::npos);
  const Outcome second = train(scratch, "segfault", "my run", {"--resume"});
  CHECK(second.exit == 69);
  CHECK(second.err.find("example 2: crashed in argmax (SIGSEGV)\n") != std::string::npos);
}
