// Runs without enough memory, time or file descriptors. The plugin slow is out of memory or waits
// for a stop, at the place that its parameter names.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>
#include <thread>

#include "command/host_process.hpp"
#include "command/wide_rows.hpp"

using namespace sculpt::test;

namespace {

std::vector<std::string> with_slow_loss(const std::vector<std::string>& words,
                                        const std::string& parameters) {
  std::vector<std::string> all = with_test_plugins(words);
  all.insert(all.end(), {"--set", R"(loss={"use":"slow",)" + parameters + "}"});
  return all;
}

// Runs `sculpt WORDS...` under `ulimit LIMIT`.
Outcome limited(const Scratch& scratch, const std::string& limit,
                const std::vector<std::string>& words) {
  std::vector<std::string> all{"sh", "-c", "ulimit " + limit + "; exec \"$@\"", "sh",
                               SCULPT_TEST_BINARY};
  all.insert(all.end(), words.begin(), words.end());
  return scratch.run(all);
}

// Sanitizers reserve terabytes of addresses, so they do not start under a limit on addresses. UBSan
// opens a pipe to look at an object, and reports the object as invalid if that fails.
bool is_without_sanitizer(const Scratch& scratch) {
  if (limited(scratch, "-v 1000000", {"--version"}).exit == 0) return true;
  std::cout << "SKIPPED: the binary does not start under ulimit -v: it has a sanitizer\n";
  return false;
}

bool holds_partial_file(const fs::path& folder) {
  return std::any_of(fs::recursive_directory_iterator(folder), fs::recursive_directory_iterator(),
                     [](const auto& entry) { return entry.path().extension() == ".partial"; });
}

}  // namespace

TEST_CASE(
    "a plugin out of memory ends the run with 71, and --resume continues from the checkpoint") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::vector<std::string> words =
      with_slow_loss({"train", "small.json", "--output", "run", "--threads", "1", "--set",
                      "checkpoint_seconds=0", "--set", "solver.relative_gap=0"},
                     R"("at":"separate","what":"no_memory","free_calls":2)");
  const Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  CHECK(outcome.exit == 71);
  CHECK(
      contains(outcome.err, "sculpt: slow: example 0: out of memory in pass 2; the process had "));
  CHECK(contains(outcome.err, "solver.max_planes_megabytes"));
  CHECK(contains(outcome.err, "run/checkpoints"));
  CHECK(contains(outcome.err, " --resume"));
  CHECK(scratch.finished("run")["event"] == "failed");
  CHECK(scratch.finished("run")["exit"] == 71);
  CHECK(fs::exists(scratch / "run/checkpoints/last.sculpt"));
  CHECK_FALSE(fs::exists(scratch / "run/model.sculpt"));
  CHECK_FALSE(holds_partial_file(scratch / "run"));

  std::vector<std::string> again = words;
  again.emplace_back("--resume");
  CHECK(contains(scratch.sculpt(again).err, "resuming after pass 1"));
}

TEST_CASE("out of memory at bind is reported as such and leaves no folder") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::string at_bind = R"("at":"bind","what":"no_memory")";
  const Outcome train =
      scratch.sculpt(with_slow_loss({"train", "small.json", "--output", "run"}, at_bind));
  CHECK(train.exit == 71);
  CHECK(contains(train.err, "slow: out of memory while binding the components; the process had "));
  CHECK_FALSE(fs::exists(scratch / "run"));
  const Outcome check = scratch.sculpt(with_slow_loss({"check", "small.json"}, at_bind));
  INFO(check.err);
  CHECK(check.exit == 71);
  CHECK(contains(check.err, "slow: out of memory"));
}

TEST_CASE("check gives no verdict on an oracle that is out of memory") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt(with_slow_loss(
      {"check", "small.json", "--only", "oracle.exact"}, R"("at":"separate","what":"no_memory")"));
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(outcome.exit == 71);
  CHECK(contains(outcome.err, "oracle.exact: "));
  CHECK(contains(outcome.err, "out of memory"));
  CHECK(outcome.out.find("oracle.exact") == std::string::npos);  // no verdict
}

TEST_CASE("a lack of memory in the checks before a sweep ends it") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt(with_test_plugins(
      {"sweep", "small.json", "--output", "sweep", "--hold-out", "0.3", "--best", "loss", "--set",
       R"(loss={"use":"slow","at":"bind","what":"no_memory"},hamming)"}));
  INFO(outcome.err);
  CHECK(outcome.exit == 71);
  CHECK_FALSE(fs::exists(scratch / "sweep/cells/000"));
}

TEST_CASE("the cells of a sweep that are out of memory are reported, and the sweep ends with 71") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt(
      with_slow_loss({"sweep", "small.json", "--output", "sweep", "--set", "solver.C=1,10"},
                     R"("at":"separate","what":"no_memory")"));
  INFO(outcome.err);
  CHECK(outcome.exit == 71);
  CHECK(contains(outcome.err, "failed (71): slow: example 0: out of memory in pass 1"));
}

TEST_CASE("a model is kept if memory runs out while it is measured, and evaluate ends with 71") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::string at_measure = R"("at":"measure","what":"no_memory")";
  const Outcome train =
      scratch.sculpt(with_slow_loss({"train", "small.json", "--output", "run"}, at_measure));
  CHECK(train.exit == 71);
  CHECK(contains(train.err, "out of memory while writing and measuring the model"));
  REQUIRE(fs::exists(scratch / "run/model.sculpt"));
  const Outcome evaluate = scratch.sculpt({"evaluate", "run", "words.txt"},
                                          {{"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}});
  INFO(evaluate.err);
  CHECK(evaluate.exit == 71);
  CHECK(contains(evaluate.err, "slow: example 0: out of memory while predicting"));
}

TEST_CASE(
    "a host out of memory in a pass ends with 71, and --resume continues from the checkpoint") {
  const Scratch scratch;
  if (!is_without_sanitizer(scratch)) return;
  write_wide_rows(scratch, 1000000);
  Process process =
      scratch.start({"train", "wide.json", "--output", "run", "--set", "checkpoint_seconds=0",
                     "--set", "solver.max_planes_megabytes=1000"});
  REQUIRE(scratch.wait_for_event(process, "run", "pass"));
  while (process.running() && !fs::exists(scratch / "run/checkpoints/last.sculpt")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.limit_address_space(std::int64_t{8} << 20);  // a plane takes 16 MB
  const Outcome outcome = process.wait();
  INFO(outcome.err);
  CHECK(outcome.exit == 71);
  CHECK(contains(outcome.err, "sculpt: out of memory in pass "));
  CHECK(contains(outcome.err, ", ulimit -v allows "));
  CHECK(scratch.finished("run")["exit"] == 71);
  CHECK_FALSE(holds_partial_file(scratch / "run"));
  const Outcome again =
      scratch.sculpt({"train", "wide.json", "--output", "run", "--resume", "--set",
                      "solver.max_planes_megabytes=1000", "--set", "solver.max_seconds=1"});
  INFO(again.err);
  CHECK(again.exit == 3);
  CHECK(contains(again.err, "resuming after pass "));
}

TEST_CASE("a model that does not fit into memory ends predict with 71") {
  const Scratch scratch;
  if (!is_without_sanitizer(scratch)) return;
  write_wide_rows(scratch, 4000000);
  REQUIRE(scratch
              .sculpt({"train", "wide.json", "--output", "run", "--set", "solver=perceptron",
                       "--set", "solver.max_passes=1"})
              .exit == 3);
  const Outcome outcome =
      limited(scratch, "-v 120000", {"predict", "run", "wide.svml", "--threads", "1"});
  INFO(outcome.err);
  CHECK(outcome.exit == 71);
  CHECK(outcome.out.empty());
  CHECK(contains(outcome.err, "out of memory"));
  CHECK(contains(outcome.err, "ulimit -v allows 123 MB"));
}

TEST_CASE("if file descriptors run out, every command prints the reason of the system") {
  const Scratch scratch;
  if (!is_without_sanitizer(scratch)) return;
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "model"}).exit == 0);
  const std::vector<std::vector<std::string>> commands{
      {"train", "small.json", "--output", "run", "--force", "--set", "checkpoint_seconds=0"},
      {"predict", "model", "words.txt"},
      {"evaluate", "model", "words.txt"},
      {"verify", "model"},
      {"check", "small.json", "--only", "oracle.exact"},
      {"sweep", "small.json", "--output", "sweep", "--force", "--set", "solver.C=1,10"}};
  for (const std::vector<std::string>& words : commands) {
    CAPTURE(words.front());
    bool succeeded = false;
    for (int files = 3; files < 40 && !succeeded; ++files) {
      CAPTURE(files);
      const Outcome outcome = limited(scratch, "-n " + std::to_string(files), words);
      succeeded = outcome.exit == 0;
      if (succeeded || outcome.exit == 127) continue;  // 127: the system cannot load sculpt
      INFO(outcome.err);
      CHECK(outcome.exit == 71);
      CHECK(contains(outcome.err, "Too many open files; raise ulimit -n"));
      CHECK(!contains(outcome.err, "check the path"));
      CHECK(!contains(outcome.err, "to use less memory"));
    }
    CHECK(succeeded);
  }
}

TEST_CASE("a run that does not fit into memory is refused at the start with the largest index") {
  const Scratch scratch;
  if (!is_without_sanitizer(scratch)) return;
  struct Case {
    const char* dataset;
    const char* features;
    const char* loss;
    const char* oracle;
    const char* text;
    const char* place;
  };
  for (const Case& one : {Case{"svmlight", "multiclass", "zero_one", "enumerate",
                               "1 1:1\n2 100000000:0.65\n", ":2: index 100000000"},
                          Case{"mlsvml", "multilabel", "hamming", "enumerate",
                               "1,5 100000000:0.65\n2 3:1\n", ":1: index 100000000"},
                          Case{"svmlight_set", "contingency", "error_rate", "contingency",
                               "1 1:1\n-1 900000000:1\n", ":2: index 900000000"},
                          Case{"svmrank", "ranking", "pair_error", "ranking",
                               "1 qid:1 1:1\n2 qid:1 900000000:1\n", ":2: index 900000000"}}) {
    CAPTURE(one.dataset);
    scratch.write("data.txt", one.text);
    scratch.write("x.json", std::string(R"({"dataset": {"use": ")") + one.dataset +
                                R"(", "train": "data.txt"}, "features": ")" + one.features +
                                R"(", "loss": ")" + one.loss + R"(", "oracle": ")" + one.oracle +
                                R"(", "threads": 1, "solver": {"use": "n_slack", "C": 1}})");
    const Outcome outcome = limited(scratch, "-v 2000000", {"train", "x.json", "--output", "run"});
    INFO(outcome.err);
    CHECK(outcome.exit == 71);
    CHECK(contains(outcome.err, "sculpt: the run needs at least "));
    CHECK(contains(outcome.err, " weights of "));
    CHECK(contains(outcome.err, "data.txt" + std::string(one.place) + " is the largest"));
    CHECK_FALSE(fs::exists(scratch / "run"));
  }
}

TEST_CASE(
    "train warns before the first pass if the Newton steps of a table do not fit into memory") {
  const Scratch scratch;
  if (!is_without_sanitizer(scratch)) return;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::string text;
  for (int row = 0; row < 3000; ++row) {
    text += std::to_string(1 + random() % 20);
    for (int j = 0; j < 60; ++j) {
      text +=
          " " + std::to_string(j + 1) + ":" + std::to_string(std::pow(10, j % 6) * normal(random));
    }
    text += "\n";
  }
  scratch.write("raw.svml", text);
  scratch.write("raw.json",
                R"({"dataset": {"use": "svmlight", "train": "raw.svml"}, "features": "multiclass",
                    "loss": "zero_one", "oracle": "enumerate", "threads": 1,
                    "solver": {"use": "n_slack", "C": 100, "max_oracle_calls": 3000}})");
  const Outcome outcome = limited(scratch, "-v 100000", {"train", "raw.json", "--output", "run"});
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  CHECK(contains(outcome.err, "the run is expected to take "));
}

TEST_CASE("train warns of an index far above all others with its line") {
  const Scratch scratch;
  write_wide_rows(scratch, 200000);
  CHECK(scratch
            .sculpt({"train", "wide.json", "--output", "few", "--set", "solver.max_passes=1",
                     "--set", "solver.use=n_slack"})
            .exit == 3);
  CHECK_FALSE(scratch.started("few").contains("warnings"));  // 60 indices are large
  scratch.write("wide.svml", "1 1:1 2:1\n2 2:1 3:1\n1 1:1 300000:1\n2 3:1\n");
  CHECK(scratch
            .sculpt({"train", "wide.json", "--output", "far", "--set", "solver.max_passes=1",
                     "--set", "solver.use=n_slack"})
            .exit == 3);
  const Json event = scratch.started("far");
  REQUIRE(event["warnings"].is_array());
  const auto warning = event["warnings"].front().get<std::string>();
  INFO(warning);
  CHECK(warning.find("wide.svml:3: index 300000 is far above all others") != std::string::npos);
  CHECK(warning.find("entries in 4 of 300000 columns") != std::string::npos);
}

TEST_CASE("train warns of one_slack with many weights before the first pass") {
  const Scratch scratch;
  write_wide_rows(scratch, 200000);
  std::string full = "1";  // a row with all columns
  for (int j = 1; j <= 200000; ++j) full += " " + std::to_string(j) + ":1";
  scratch.write("wide.svml", scratch.read("wide.svml") + full + "\n");
  const std::vector<std::string> words{"train", "wide.json", "--output",
                                       "run",   "--set",     "solver.max_passes=1"};
  CHECK(scratch.sculpt(words).exit == 3);
  const Json event = scratch.started("run");
  REQUIRE(event["warnings"].is_array());
  const auto warning = event["warnings"].front().get<std::string>();
  INFO(warning);
  CHECK(warning.find("one_slack keeps planes as long as w, 3.2 MB each") == 0);
  CHECK(warning.find("the solver n_slack takes about ") != std::string::npos);
}

TEST_CASE("max_seconds stops a running oracle call, and the model is valid") {
  const Scratch scratch;
  write_small_experiment(scratch);
  for (const char* solver : {"n_slack", "one_slack", "frank_wolfe", "subgradient"}) {
    CAPTURE(solver);
    const std::string use = std::string("solver.use=") + solver;
    const Outcome outcome = scratch.sculpt(
        with_slow_loss({"train", "small.json", "--output", "run", "--force", "--threads", "1",
                        "--set", use, "--set", "solver.max_seconds=0.3"},
                       R"("at":"separate","free_calls":2)"));
    INFO(outcome.err);
    CHECK(outcome.exit == 3);
    CHECK(scratch.finished("run")["stopped_by"] == "max_seconds");
    CHECK(scratch.finished("run")["all_measured"] == true);
    CHECK(fs::exists(scratch / "run/model.sculpt"));
    CHECK(
        scratch
            .sculpt({"predict", "run", "words.txt"}, {{"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}})
            .exit == 0);
  }
}

TEST_CASE("max_seconds stops the measurement of a model, and the model stays valid") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt(
      with_slow_loss({"train", "small.json", "--output", "run", "--set", "solver.max_seconds=0.2"},
                     R"("at":"measure")"));
  INFO(outcome.err);
  CHECK((outcome.exit == 0 || outcome.exit == 3));  // depends on whether training took 0.2 s
  CHECK(scratch.finished("run")["event"] == "finished");
  CHECK(scratch.finished("run")["all_measured"] == false);
  CHECK(contains(outcome.err, "max_seconds has passed: not all splits are measured"));
  CHECK(fs::exists(scratch / "run/model.sculpt"));
}
