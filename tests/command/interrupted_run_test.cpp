// Checkpoints: runs that are stopped or killed, and then resumed.

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

double seconds_of(const Scratch& scratch, const std::string& run) {
  return scratch.finished(run)["seconds"];
}

// Trains and stops the run by a signal during its passes. The speed of the machine is unknown, so
// it repeats this until a signal is neither too early nor too late.
void train_stopped(const Scratch& scratch, const std::vector<std::string>& more, int signal) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    fs::remove_all(scratch / "run");
    Process process = scratch.start(train_command({}, "run", more));
    REQUIRE(scratch.wait_for_event(process, "run", "pass"));
    process.signal(signal);
    const Outcome outcome = process.wait();
    INFO(outcome.err);
    CHECK((outcome.exit == 0 || outcome.exit == 3));
    if (outcome.exit == 3 && scratch.finished("run")["stopped_by"] == "signal") return;
  }
  FAIL("the run is too short to be stopped");
}

std::vector<Json> events_of(const Scratch& scratch, const std::string& run) {
  std::vector<Json> events;
  std::istringstream lines(scratch.read(run + "/events.jsonl"));
  for (std::string line; std::getline(lines, line);) events.push_back(Json::parse(line));
  return events;
}

}  // namespace

TEST_CASE("threads: runs that are killed at random moments and resumed leave the same model") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  std::mt19937_64 random(11);
  int hits = 0;
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    fs::remove_all(scratch / "plain");
    fs::remove_all(scratch / "run");
    train(scratch, variant, "plain", {"--threads", "1"});
    hits += train_killed(scratch, variant, "run", 2, seconds_of(scratch, "plain"), random);
    CHECK(same_model(scratch, "plain", "run"));
  }
  CHECK(hits > 0);
}

TEST_CASE("threads: INT and TERM leave a checkpoint, and the resumed run leaves the same model") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const Variant slow{"", {"solver.relative_gap=1e-9"}};
  train(scratch, slow, "plain");
  for (const int signal : {SIGINT, SIGTERM}) {
    train_stopped(scratch, {"--set", "solver.relative_gap=1e-9", "--set", "checkpoint_seconds=inf"},
                  signal);
    const Json stopped = scratch.finished("run");
    CHECK(fs::exists(scratch / "run/model.sculpt"));
    train(scratch, slow, "run", {"--resume"});
    CHECK(same_model(scratch, "plain", "run"));
    const std::vector<Json> events = events_of(scratch, "run");
    const std::vector<Json> plain = events_of(scratch, "plain");
    std::int64_t pass = 0;
    int resumed = 0;
    for (const Json& event : events) {
      if (event["event"] == "pass") CHECK(event["pass"] == ++pass);
      if (event["event"] != "resumed") continue;
      ++resumed;
      CHECK(event["pass"] == pass);
      CHECK(pass + 1 >= stopped["passes"].get<std::int64_t>());  // no more than one pass is lost
    }
    CHECK(resumed == 1);
    CHECK(events.size() == plain.size() + 1);
    CHECK(events.back()["event"] == "finished");
    CHECK(events.back()["passes"] == plain.back()["passes"]);
    CHECK(events.back()["oracle_calls"] == plain.back()["oracle_calls"]);
    for (const char* key : {"reading_seconds", "oracle_seconds"}) {
      CHECK(events.back()[key].get<double>() > stopped[key].get<double>());
    }
    CHECK(events.back()["seconds"].get<double>() > stopped["seconds"].get<double>() -
                                                       stopped["evaluation_seconds"].get<double>() -
                                                       stopped["writing_seconds"].get<double>());
    CHECK(events.back()["rest_seconds"].get<double>() >= 0);
  }
}

TEST_CASE("threads: USR1 writes a checkpoint and the run goes on") {
  const Scratch scratch;
  Process process = scratch.start(endless_command("run", {"--set", "checkpoint_seconds=inf"}));
  REQUIRE(scratch.wait_for_event(process, "run", "pass"));
  CHECK_FALSE(fs::exists(scratch / "run/checkpoints/last.sculpt"));
  process.signal(SIGUSR1);
  for (int wait = 0; wait < 3000 && process.running(); ++wait) {
    if (fs::exists(scratch / "run/checkpoints/last.sculpt")) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK(fs::exists(scratch / "run/checkpoints/last.sculpt"));
  CHECK(process.running());
  // In the meantime no other run may use the folder.
  const std::string events = scratch.read("run/events.jsonl");
  for (const char* option : {"--resume", "--force"}) {
    const Outcome second =
        scratch.sculpt(endless_command("run", {"--set", "checkpoint_seconds=inf", option}));
    CHECK(second.exit == 73);
    CHECK(second.err.find("another run is using this folder") != std::string::npos);
  }
  CHECK(scratch.read("run/events.jsonl").starts_with(events));
  process.signal(SIGKILL);
  process.wait();
}

TEST_CASE("--resume without an earlier run starts from the beginning with a message") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const Outcome outcome = scratch.sculpt(train_command({}, "run", {"--resume"}));
  CHECK(outcome.exit == 0);
  CHECK(outcome.err.find("training starts from the beginning") != std::string::npos);
  train(scratch, {}, "plain");
  CHECK(same_model(scratch, "plain", "run"));
  // A run that was killed before its first checkpoint.
  fs::create_directory(scratch / "early");
  fs::copy_file(scratch / "run/config.json", scratch / "early/config.json");
  scratch.write("early/events.jsonl", "{\"event\":\"started\"}\n");
  CHECK(train(scratch, {}, "early", {"--resume"}) == 0);
  CHECK(same_model(scratch, "plain", "early"));
}

TEST_CASE("--resume refuses a folder of another config even without a checkpoint") {
  const Scratch scratch;
  train_three_passes(scratch);
  fs::remove_all(scratch / "run/checkpoints");
  fs::remove(scratch / "run/model.sculpt");
  const std::string events = scratch.read("run/events.jsonl");
  const Outcome other =
      scratch.sculpt(train_command({}, "run", {"--resume", "--set", "solver.C=7"}));
  CHECK(other.exit == 78);
  CHECK(other.err.find("solver.C is 7, ") != std::string::npos);
  CHECK(other.err.find("config.json was written with 100") != std::string::npos);
  CHECK(scratch.read("run/events.jsonl") == events);
}

TEST_CASE("--resume refuses a folder with a model and without a checkpoint") {
  const Scratch scratch;
  train_three_passes(scratch);
  fs::remove_all(scratch / "run/checkpoints");
  const Outcome outcome = scratch.sculpt(train_command({}, "run", {"--resume"}));
  CHECK(outcome.exit == 73);
  CHECK(outcome.err.find("no checkpoint to continue from") != std::string::npos);
  CHECK(fs::exists(scratch / "run/model.sculpt"));
}

TEST_CASE("--resume of a finished run repeats its exit code and changes nothing") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  for (const auto& [sets, exit] : {std::pair{std::vector<std::string>{}, 0},
                                   {std::vector<std::string>{"solver.max_passes=2"}, 3},
                                   {std::vector<std::string>{"oracle=icm"}, 3}}) {
    fs::remove_all(scratch / "run");
    const Variant variant{"", sets};
    CHECK(train(scratch, variant, "run") == exit);
    CHECK_FALSE(fs::exists(scratch / "run/checkpoints/previous.sculpt"));
    const std::string model = scratch.read("run/model.sculpt");
    const std::string events = scratch.read("run/events.jsonl");
    const Outcome again = scratch.sculpt(train_command(variant, "run", {"--resume"}));
    CHECK(again.exit == exit);
    CHECK(again.err.find("has already ended") != std::string::npos);
    CHECK(scratch.read("run/model.sculpt") == model);
    CHECK(scratch.read("run/events.jsonl") == events);
  }
}

TEST_CASE("a run that a limit ended is resumed under a higher limit to the model of a single run") {
  const Scratch scratch;
  train_three_passes(scratch);
  CHECK(train(scratch, {}, "run",
              {"--resume", "--set", "solver.max_passes=9", "--threads", "2", "--set",
               "checkpoint_seconds=30"}) == 3);
  train(scratch, {}, "plain", {"--set", "solver.max_passes=9"});
  CHECK(same_model(scratch, "plain", "run"));
  const Json config = Json::parse(scratch.read("run/config.json"));
  CHECK(config["solver"]["max_passes"] == 9);
  CHECK(config["checkpoint_seconds"] == 30);
  CHECK(train(scratch, {}, "run", {"--resume"}) == 0);
  fs::remove_all(scratch / "plain");
  train(scratch, {}, "plain");
  CHECK(same_model(scratch, "plain", "run"));
}

TEST_CASE("a checkpoint of another config, of other data or of another plugin is refused") {
  const Scratch scratch;
  train_three_passes(scratch);
  const std::string words = scratch.read("noisy.txt");
  const auto refused = [&](int exit, const std::vector<std::string>& more,
                           const std::vector<std::string>& texts) {
    std::vector<std::string> all{"--resume"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = scratch.sculpt(train_command({}, "run", all));
    INFO(outcome.err);
    CHECK(outcome.exit == exit);
    for (const std::string& text : texts) {
      CAPTURE(text);
      CHECK(outcome.err.find(text) != std::string::npos);
    }
  };
  for (const bool has_model : {true, false}) {  // a run that ended, and one that was killed
    if (!has_model) fs::remove(scratch / "run/model.sculpt");
    refused(78, {"--set", "solver.C=7"}, {"solver.C is 7, ", "was written with 100"});
    refused(78, {"--set", "seed=5"}, {"seed is 5, ", "was written with 0"});
    refused(78, {"--set", "oracle=icm"}, {"oracle.use is \"icm\""});
    scratch.write("noisy.txt", words + "# more\n");
    refused(65, {}, {"the data of train", "xxh3:"});
    scratch.write("noisy.txt", words);
  }
  // The same data in another file is accepted.
  scratch.write("moved.txt", words);
  train(scratch, {}, "run", {"--resume", "--set", "dataset.train=moved.txt"});
}

TEST_CASE("a checkpoint of another version of a plugin is refused") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const auto words = [&](const char* folder, const std::string& last) {
    return train_command({"", {"plugin_path=[\"" + std::string(folder) + "\"]", "loss=alarm"}},
                         "run", {last});
  };
  std::vector<std::string> first = words(SCULPT_TEST_PLUGINS, "--set");
  first.emplace_back("solver.max_passes=3");
  REQUIRE(scratch.sculpt(first).exit == 3);
  const Outcome outcome = scratch.sculpt(words(SCULPT_NEWER_PLUGINS, "--resume"));
  INFO(outcome.err);
  CHECK(outcome.exit == 69);
  CHECK(outcome.err.find("org.test.alarm is version \"1.1.0\"") != std::string::npos);
  CHECK(outcome.err.find("\"1.0.0\"") != std::string::npos);
  CHECK(scratch.sculpt(words(SCULPT_TEST_PLUGINS, "--resume")).exit == 0);
}

TEST_CASE(
    "a damaged checkpoint is replaced by the previous one, and two damaged ones are refused") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train_stopped(scratch, {"--set", "solver.relative_gap=1e-9"}, SIGTERM);
  fs::remove(scratch / "run/model.sculpt");
  train(scratch, {"", {"solver.relative_gap=1e-9"}}, "exact");
  REQUIRE(fs::exists(scratch / "run/checkpoints/last.sculpt"));
  fs::copy_file(scratch / "run/checkpoints/last.sculpt",
                scratch / "run/checkpoints/previous.sculpt", fs::copy_options::overwrite_existing);
  flip_last_byte(scratch, "run/checkpoints/last.sculpt");
  fs::copy(scratch / "run", scratch / "both", fs::copy_options::recursive);
  const std::vector<std::string> resume{"--resume", "--set", "solver.relative_gap=1e-9"};
  const Outcome outcome = scratch.sculpt(train_command({}, "run", resume));
  CHECK(outcome.err.find("last.sculpt: has a wrong checksum; using the previous checkpoint") !=
        std::string::npos);
  CHECK(same_model(scratch, "exact", "run"));

  const std::string half = scratch.read("both/checkpoints/previous.sculpt");
  scratch.write("both/checkpoints/previous.sculpt", half.substr(0, half.size() / 2));
  const Outcome refused = scratch.sculpt(train_command({}, "both", resume));
  CHECK(refused.exit == 65);
  CHECK(refused.err.find("last.sculpt: has a wrong checksum") != std::string::npos);
  CHECK(refused.err.find("--force") != std::string::npos);
}
