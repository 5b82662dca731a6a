// --resume and --force of runs that failed, of runs whose files or plugins changed, and of runs on
// a full disk.

#include <doctest/doctest.h>

#include <fstream>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

TEST_CASE("a failed run with a checkpoint is resumed, and only --force replaces it") {
  const Scratch scratch;
  train_three_passes(scratch);
  fs::remove(scratch / "run/model.sculpt");
  scratch.write("run/events.jsonl", scratch.read("run/events.jsonl") +
                                        "{\"event\":\"failed\",\"exit\":69,\"message\":\"x\"}\n");
  const Outcome refused = scratch.sculpt(train_command({}, "run"));
  CHECK(refused.exit == 73);
  CHECK(refused.err.find("--resume") != std::string::npos);
  CHECK(train(scratch, {}, "run", {"--resume"}) == 0);
  train(scratch, {}, "plain");
  CHECK(same_model(scratch, "plain", "run"));
  CHECK(scratch.read("run/events.jsonl").find("failed") == std::string::npos);
}

TEST_CASE("--force removes checkpoints, but no other files beside them") {
  const Scratch scratch;
  train_three_passes(scratch);
  scratch.write("run/checkpoints/thesis.tex", "years of work");
  const Outcome outcome = scratch.sculpt(train_command({}, "run", {"--force"}));
  CHECK(outcome.exit == 73);
  CHECK(outcome.err.find("checkpoints/thesis.tex") != std::string::npos);
  // --resume removes nothing, so other files do not matter.
  CHECK(train(scratch, {}, "run", {"--resume"}) == 0);
  CHECK(scratch.read("run/checkpoints/thesis.tex") == "years of work");
  fs::remove(scratch / "run/checkpoints/thesis.tex");
  CHECK(train(scratch, {}, "run", {"--force", "--set", "checkpoint_seconds=inf"}) == 0);
  CHECK_FALSE(fs::exists(scratch / "run/checkpoints/previous.sculpt"));
}

TEST_CASE("--resume refuses a plugin that was rebuilt since it made the planes") {
  const Scratch scratch;
  fs::create_directory(scratch / "plugins");
  const fs::path library = scratch / "plugins/alarm.so";
  fs::copy_file(std::string(SCULPT_TEST_PLUGINS) + "/test_alarm.so", library);
  const Variant variant{"", {"plugin_path=[\"plugins\"]", "loss=alarm", "solver.max_passes=2"}};
  const Variant longer{"", {"plugin_path=[\"plugins\"]", "loss=alarm"}};
  write_noisy_experiment(scratch);
  REQUIRE(train(scratch, variant, "run") == 3);
  std::ofstream(library, std::ios::binary | std::ios::app) << "the same code";
  const Outcome refused = scratch.sculpt(train_command(longer, "run", {"--resume"}));
  CHECK(refused.exit == 69);
  CHECK(refused.err.find("org.test.alarm was rebuilt after") != std::string::npos);
  CHECK(refused.err.find("--trust-rebuilt") != std::string::npos);
  CHECK(train(scratch, longer, "run", {"--resume", "--trust-rebuilt"}) == 0);
  train(scratch, longer, "plain");
  CHECK(same_model(scratch, "plain", "run"));
  CHECK(scratch.sculpt(train_command(longer, "run", {"--trust-rebuilt"})).exit == 64);
}

TEST_CASE("a damaged model is written again from the last checkpoint") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train(scratch, {}, "plain");
  train(scratch, {}, "run");
  flip_last_byte(scratch, "run/model.sculpt");
  const Outcome outcome = scratch.sculpt(train_command({}, "run", {"--resume"}));
  CHECK(outcome.exit == 0);
  CHECK(outcome.err.find("the last checkpoint is used to write it again") != std::string::npos);
  CHECK(same_model(scratch, "plain", "run"));
  // Without a checkpoint the model is not changed.
  flip_last_byte(scratch, "run/model.sculpt");
  fs::remove_all(scratch / "run/checkpoints");
  CHECK(scratch.sculpt(train_command({}, "run", {"--resume"})).exit == 65);
}

TEST_CASE("--resume and --force together are a usage error") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const Outcome outcome = scratch.sculpt(train_command({}, "run", {"--resume", "--force"}));
  CHECK(outcome.exit == 64);
  CHECK(outcome.err.find("give one of them") != std::string::npos);
}

TEST_CASE("a checkpoint that cannot be written causes a warning, and the run continues") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train(scratch, {}, "plain");
  CHECK(fs::file_size(scratch / "plain/checkpoints/last.sculpt") > 60 * 1024);
  // A limit of 60 KiB on each file, as on a full disk.
  const Outcome outcome =
      scratch.run({"bash", "-c",
                   "trap '' XFSZ; ulimit -f 60; exec '" SCULPT_TEST_BINARY
                   "' train noisy.json --output run 2>&1 | cat; exit ${PIPESTATUS[0]}"});
  INFO(outcome.out);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out.find("last.sculpt: cannot be written: File too large") != std::string::npos);
  CHECK(same_model(scratch, "plain", "run"));
}

TEST_CASE("a run that was stopped while it measured is measured by --resume") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train(scratch, {}, "run");
  const Json whole = scratch.finished("run");
  CHECK(whole["all_measured"] == true);
  const std::string model = scratch.read("run/model.sculpt");
  std::string events = scratch.read("run/events.jsonl");
  Json cut = whole;
  cut.erase("test");
  cut["all_measured"] = false;
  events.resize(events.rfind('\n', events.size() - 2) + 1);
  scratch.write("run/events.jsonl", events + cut.dump() + "\n");
  CHECK(train(scratch, {}, "run", {"--resume"}) == 0);
  CHECK(scratch.finished("run")["test"] == whole["test"]);
  CHECK(scratch.finished("run")["all_measured"] == true);
  CHECK(scratch.read("run/model.sculpt") == model);
}
