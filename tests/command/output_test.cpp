// Run folders that exist already, and outputs that cannot be written.

#include <doctest/doctest.h>

#include <csignal>

#include "command/host_process.hpp"
#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

// Trains with a limit of `kilobytes` KiB on each file, as on a full disk. Root has the limit, too.
Outcome train_limited(const Scratch& scratch, const std::string& kilobytes,
                      const std::string& config) {
  return scratch.run({"bash", "-c",
                      "set -o pipefail; (trap '' XFSZ; ulimit -f " + kilobytes +
                          "; exec '" SCULPT_TEST_BINARY "' train " + config +
                          " --output run) 2>&1 | cat"});
}

}  // namespace

TEST_CASE("an existing run folder is refused before training and kept") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
  const std::string model = scratch.read("run/model.sculpt");
  const Outcome again = scratch.sculpt({"train", "small.json", "--output", "run"});
  CHECK(again.exit == 73);
  CHECK(again.err.find("--force") != std::string::npos);
  CHECK(again.err.find("pass") == std::string::npos);
  CHECK(scratch.read("run/model.sculpt") == model);
  CHECK(scratch.sculpt({"train", "small.json", "--output", "run", "--force"}).exit == 0);
  CHECK(scratch.read("run/model.sculpt") == model);
}

TEST_CASE("--force keeps the old model until the new one is written") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
  const std::string model = scratch.read("run/model.sculpt");
  const auto replace = [&](const std::string& loss) {
    return scratch
        .sculpt(with_test_plugins(
            {"train", "small.json", "--output", "run", "--force", "--set", "loss=" + loss}))
        .exit;
  };
  for (int time = 0; time < 2; ++time) {  // the second run finds no model to keep
    REQUIRE(replace(R"({"use":"crash","at":"add"})") == 69);
    CHECK_FALSE(fs::exists(scratch / "run/model.sculpt"));
    CHECK(scratch.read("run/replaced/model.sculpt") == model);
    CHECK(scratch.finished("run/replaced")["event"] == "finished");
  }
  CHECK(scratch.sculpt({"evaluate", "run/replaced", "words.txt"}).exit == 0);
  CHECK(replace("zero_one") == 0);
  CHECK(scratch.read("run/model.sculpt") != model);
  CHECK_FALSE(fs::exists(scratch / "run/replaced"));
}

TEST_CASE("threads: --force keeps the old model if the new run is stopped") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  REQUIRE(scratch.sculpt(train_command({}, "run")).exit == 0);
  const std::string model = scratch.read("run/model.sculpt");
  for (int time = 0; time < 2; ++time) {  // the model of the first stopped run does not count
    fs::remove(scratch / "run/events.jsonl");
    Process process = scratch.start(endless_command("run", {"--force"}));
    REQUIRE(scratch.wait_for_event(process, "run", "pass"));
    process.signal(SIGINT);
    CHECK(process.wait().exit == 3);
    CHECK(scratch.read("run/replaced/model.sculpt") == model);
  }
  fs::remove(scratch / "run/model.sculpt");
  const Outcome lost = scratch.sculpt({"describe", "run"});
  CHECK(lost.exit == 66);
  CHECK(lost.err.find("run/replaced/model.sculpt") != std::string::npos);
  // A run that reaches its target does replace it.
  CHECK(scratch.sculpt(train_command({}, "run", {"--force"})).exit == 0);
  CHECK_FALSE(fs::exists(scratch / "run/replaced"));
}

TEST_CASE("--force does not remove files that no run has written") {
  const Scratch scratch;
  write_small_experiment(scratch);
  fs::create_directory(scratch / "mine");
  scratch.write("mine/thesis.tex", "years of work");
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--output", "mine", "--force"});
  CHECK(outcome.exit == 73);
  CHECK(outcome.err.find("thesis.tex") != std::string::npos);
  CHECK(scratch.read("mine/thesis.tex") == "years of work");
}

TEST_CASE("an output folder that cannot be created is refused before training") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--output", "words.txt/run"});
  CHECK(outcome.exit == 73);
  CHECK(outcome.err.find("words.txt") != std::string::npos);
  CHECK(outcome.err.find("examples") == std::string::npos);
}

TEST_CASE("a file that reaches the size limit is a failed write, and no signal ends the run") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.run({"sh", "-c",
                                       "ulimit -f 1; exec '" SCULPT_TEST_BINARY
                                       "' train small.json --output run 2>&1 | cat"});
  INFO(outcome.out);
  CHECK(outcome.out.find("cannot be written: File too large") != std::string::npos);
  CHECK_FALSE(fs::exists(scratch / "run/model.sculpt"));
}

TEST_CASE("an output folder in /proc is refused before training") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--output", "/proc/run"});
  CHECK(outcome.exit == 73);
  CHECK(outcome.err.find("/proc/run") != std::string::npos);
}

TEST_CASE("of several runs with the same output folder one trains and the others are refused") {
  const Scratch scratch;
  write_small_experiment(scratch);
  std::vector<Process> runs;
  for (int k = 0; k < 6; ++k) {
    runs.push_back(scratch.start({"train", "small.json", "--output", "run"}));
  }
  int trained = 0;
  for (Process& run : runs) {
    const Outcome outcome = run.wait();
    INFO(outcome.err);
    CHECK((outcome.exit == 0 || outcome.exit == 73));
    trained += outcome.exit == 0 ? 1 : 0;
  }
  CHECK(trained == 1);
  CHECK(scratch.finished("run")["event"] == "finished");
}

TEST_CASE("an empty output folder is accepted") {
  const Scratch scratch;
  write_small_experiment(scratch);
  fs::create_directory(scratch / "run");
  CHECK(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
}

TEST_CASE("--force refuses a run folder in which a folder has the name of the model") {
  const Scratch scratch;
  write_small_experiment(scratch);
  fs::create_directories(scratch / "run/model.sculpt/mine");  // no file of a run
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--output", "run", "--force"});
  CHECK(outcome.exit == 73);
  CHECK(outcome.err.find("model.sculpt: is a folder, not a file") != std::string::npos);
  CHECK(fs::exists(scratch / "run/model.sculpt/mine"));
}

TEST_CASE("the name of a run folder may end with a slash") {
  const Scratch scratch;
  write_small_experiment(scratch);
  CHECK(scratch.sculpt({"train", "small.json", "--output", "run/"}).exit == 0);
  CHECK(scratch.sculpt({"train", "small.json", "--output", "run/"}).exit == 73);
  CHECK(scratch.sculpt({"train", "small.json", "--output", "run/", "--force"}).exit == 0);
}

TEST_CASE("a config that cannot be written is a failed write") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = train_limited(scratch, "0", "small.json");
  INFO(outcome.out);
  CHECK(outcome.exit == 74);
  CHECK(outcome.out.find("config.json: cannot be written: File too large") != std::string::npos);
}

TEST_CASE("a model that cannot be written is a failed write and leaves no partial file") {
  const Scratch scratch;
  scratch.write("rows.txt", "1 1:1 20000:1\n2 2:1\n");  // 40000 weights
  scratch.write("rows.json",
                R"({"dataset": {"use": "svmlight", "train": "rows.txt"}, "features": "multiclass",
                    "loss": "zero_one", "oracle": "viterbi",
                    "solver": {"use": "n_slack", "C": 10}})");
  const Outcome outcome = train_limited(scratch, "64", "rows.json");
  INFO(outcome.out);
  CHECK(outcome.exit == 74);
  CHECK(outcome.out.find("model.sculpt: cannot be written: File too large") != std::string::npos);
  CHECK_FALSE(fs::exists(scratch / "run/model.sculpt"));
  CHECK_FALSE(fs::exists(scratch / "run/model.sculpt.partial"));
  CHECK(scratch.finished("run")["event"] != "finished");
}

TEST_CASE("results that cannot be printed are a failed write") {
  const Scratch scratch;
  const Outcome outcome =
      scratch.run({"bash", "-c", "exec '" SCULPT_TEST_BINARY "' describe > /dev/full"});
  CHECK(outcome.exit == 74);
}
