// sculpt verify on unchanged runs, and on runs whose files were changed.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "command/forged_run.hpp"
#include "command/host_process.hpp"
#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

void train_run(const Scratch& scratch, const Variant& variant,
               const std::vector<std::string>& more = {}) {
  train(scratch, variant, "run", more);
}

// Trains the noisy experiment with n_slack and slack norm 1, which is fast.
void train_noisy(const Scratch& scratch) {
  write_noisy_experiment(scratch);
  train_run(scratch, {"", {"solver.relative_gap=1e-3"}});
}

Outcome verify(const Scratch& scratch, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"verify", "run"});
  return scratch.sculpt(more);
}

Json verify_json(const Scratch& scratch, int exit, std::vector<std::string> more = {}) {
  more.push_back("--json");
  const Outcome outcome = verify(scratch, more);
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(outcome.exit == exit);
  return Json::parse(outcome.out, nullptr, false);
}

void check_contains(const std::string& text, const std::vector<std::string>& parts) {
  INFO(text);
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(contains(text, part));
  }
}

std::map<std::string, std::string> files_of(const Scratch& scratch) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(scratch / "run")) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), scratch.folder()).string();
    files[name] = scratch.read(name);
  }
  return files;
}

}  // namespace

TEST_CASE("threads: verify confirms a run of every solver and formulation, and changes no file") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    fs::remove_all(scratch / "run");
    train_run(scratch, variant);
    const auto before = files_of(scratch);
    const Json finished = scratch.finished("run");
    const bool reached = finished["certified"] == true && finished["stopped_by"] == "relative_gap";
    const Json json = verify_json(scratch, reached ? 0 : 3);
    const bool has_dual = !finished["dual"].is_null();
    CHECK(json["verified"] == has_dual);
    CHECK(json["certified"] == reached);
    CHECK(json["gap_proved"] == finished["certified"]);
    CHECK(json["primal"]["reported"] == finished["primal"]);
    CHECK(json["dual"]["reported"] == finished["dual"]);
    CHECK(json["refuted"].empty());
    if (has_dual) CHECK(json["planes"]["count"] > 0);
    CHECK(verify(scratch, {"--threads", "1"}).out == verify(scratch, {"--threads", "3"}).out);
    CHECK(files_of(scratch) == before);
  }
}

TEST_CASE("verify prints reported and recomputed values, and that inexact oracles have no bound") {
  const Scratch scratch;
  train_noisy(scratch);
  const Outcome exact = verify(scratch);
  CHECK(exact.exit == 0);
  check_contains(exact.out,
                 {"noisy: verified: gap 0.0", "reported", "recomputed", "primal", "dual",
                  "certified       yes", "comparisons with new answers", "oracle calls"});
  CHECK(exact.err.empty());
  fs::remove_all(scratch / "run");
  train_run(scratch, {"", {"oracle=icm"}});
  const Outcome inexact = verify(scratch);
  CHECK(inexact.exit == 3);
  check_contains(inexact.out, {"noisy: agrees, not certified\n", "no upper bound"});
  CHECK(verify_json(scratch, 3)["certified"] == false);
}

TEST_CASE("threads: verify confirms stopped runs and resumed runs") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train_run(scratch, {"", {"solver.max_passes=3"}});
  CHECK(verify_json(scratch, 3)["gap_proved"] == true);
  train_run(scratch, {"", {"solver.max_passes=6"}}, {"--resume"});
  CHECK(verify_json(scratch, 3)["primal"]["reported"] == scratch.finished("run")["primal"]);

  fs::remove_all(scratch / "run");
  Process process = scratch.start(train_command({"", {"solver.relative_gap=1e-9"}}, "run"));
  REQUIRE(scratch.wait_for_event(process, "run", "pass"));
  process.signal(SIGINT);
  CHECK((process.wait().exit == 3 || scratch.finished("run")["stopped_by"] != "signal"));
  const bool reached = scratch.finished("run")["stopped_by"] != "signal";
  const Json stopped = verify_json(scratch, reached ? 0 : 3);
  CHECK(stopped["dual"]["recomputed"] <= stopped["dual"]["reported"]);
  train_run(scratch, {"", {"solver.relative_gap=1e-9"}}, {"--resume"});
  CHECK(verify_json(scratch, 0)["certified"] == true);
}

TEST_CASE("verify calls a run certified only if it has reached its target") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train_run(scratch, {"", {"solver.relative_gap=1e-3", "solver.max_passes=1"}});
  const double gap = scratch.finished("run")["relative_gap"].get<double>();
  REQUIRE(scratch.finished("run")["certified"] == true);
  REQUIRE(gap > 1e-3);
  const Outcome missed = verify(scratch);
  CHECK(missed.exit == 3);
  check_contains(missed.out, {"noisy: verified: gap ", " %, the target of 0.1 % was not reached\n",
                              "certified       no"});
  const Json json = verify_json(scratch, 3);
  CHECK(json["verified"] == true);
  CHECK(json["certified"] == false);
  CHECK(json["target"] == 1e-3);
  CHECK(json["relative_gap"]["recomputed"].get<double>() == doctest::Approx(gap));
  train_run(scratch, {"", {"solver.relative_gap=1e-9", "solver.epsilon=0.1"}}, {"--force"});
  REQUIRE(scratch.finished("run")["stopped_by"] == "epsilon");
  CHECK(verify_json(scratch, 0)["certified"] == true);
}

TEST_CASE("verify recomputes whether the target was reached, and does not rely on the model") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train_run(scratch, {"", {"solver.relative_gap=1e-3", "solver.max_passes=1"}});
  REQUIRE(scratch.finished("run")["relative_gap"].get<double>() > 1e-3);
  for (const char* rule : {"relative_gap", "epsilon"}) {  // the run has no epsilon
    CAPTURE(rule);
    forge_model(scratch / "run", [&](Json& header, std::vector<double>&) {
      REQUIRE(header["certificate"]["certified"] == true);
      header["certificate"]["stopped_by"] = rule;
    });
    const Json json = verify_json(scratch, 3);
    CHECK(json["certified"] == false);
    CHECK(json["gap_proved"] == true);
    check_contains(verify(scratch).out, {"the target of 0.1 % was not reached"});
  }
}

TEST_CASE("verify confirms only the primal of a run without its checkpoint") {
  const Scratch scratch;
  train_noisy(scratch);
  fs::remove_all(scratch / "run/checkpoints");
  const Outcome outcome = verify(scratch);
  CHECK(outcome.exit == 3);
  check_contains(outcome.out, {"noisy: primal verified, dual not",
                               "dual: not verified, because there is no "
                               "checkpoint"});
  const Json json = verify_json(scratch, 3);
  CHECK(json["certified"] == false);
  CHECK(json["verified"] == false);
  CHECK(json["dual"]["recomputed"].is_null());
  // The run may take slacks from planes that it kept, and sum them in another order.
  CHECK(json["primal"]["recomputed"].get<double>() ==
        doctest::Approx(json["primal"]["reported"].get<double>()).epsilon(1e-14));
}

TEST_CASE("verify ends with 1 if weights or certificate of the model were changed") {
  const Scratch scratch;
  train_noisy(scratch);
  const std::string model = scratch.read("run/model.sculpt");
  forge_model(scratch / "run", [](Json&, std::vector<double>& weights) { weights[3] += 0.5; });
  check_contains(verify(scratch).out, {"not verified", "primal: reported", "new answers"});
  CHECK(verify(scratch).exit == 1);

  scratch.write("run/model.sculpt", model);  // less than the target, more than rounding
  forge_model(scratch / "run", [](Json&, std::vector<double>& weights) { weights[3] += 1e-6; });
  check_contains(verify(scratch).out, {"not verified", "primal: reported", "new answers"});

  const auto forged = [&](const std::string& key, double factor) {
    scratch.write("run/model.sculpt", model);
    forge_model(scratch / "run", [&](Json& header, std::vector<double>&) {
      Json& figure = header["certificate"][key];
      figure = figure.get<double>() * factor;
    });
    const Json json = verify_json(scratch, 1);
    CHECK(json["verified"] == false);
    CHECK(json["certified"] == false);
    return json["refuted"].dump();
  };
  check_contains(forged("primal", 0.999), {"primal: reported"});
  check_contains(forged("dual", 1.0001), {"dual: reported"});
  check_contains(forged("dual", 2), {"exceeds the recomputed primal"});
  check_contains(forged("gap", 0.5), {"gap: reported"});
  check_contains(forged("relative_gap", 0.5), {"relative gap: reported"});
  scratch.write("run/model.sculpt", model);
  CHECK(verify(scratch).exit == 0);
}

TEST_CASE("threads: verify ignores a checkpoint that is older than the model") {
  const Scratch scratch;
  Process process = scratch.start(endless_command("run", {"--set", "checkpoint_seconds=0"}));
  REQUIRE(scratch.wait_for_event(process, "run", "pass"));
  while (!fs::exists(scratch / "run/checkpoints/previous.sculpt")) REQUIRE(process.running());
  process.signal(SIGSTOP);
  fs::rename(scratch / "run/checkpoints", scratch / "kept");
  scratch.write("run/checkpoints", "no folder");
  const auto passes = [&] {
    const std::string events = scratch.read("run/events.jsonl");
    return std::count(events.begin(), events.end(), '\n');
  };
  const auto before = passes();
  process.signal(SIGCONT);
  while (passes() < before + 2) REQUIRE(process.running());
  process.signal(SIGINT);
  const Outcome stopped = process.wait();
  INFO(stopped.err);
  check_contains(stopped.err, {"the run continues without this checkpoint"});
  CHECK(scratch.finished("run")["checkpoint_written"] == false);
  fs::remove(scratch / "run/checkpoints");
  fs::rename(scratch / "kept", scratch / "run/checkpoints");
  const Outcome outcome = verify(scratch);
  CHECK(outcome.exit == 3);
  check_contains(outcome.err, {"the checkpoint is older than the model", "left out"});
  check_contains(outcome.out, {"quickstart-words: primal verified, dual not"});
}

TEST_CASE(
    "verify ends with 1 and names the example if alpha or a plane of a checkpoint was changed") {
  const Scratch scratch;
  train_noisy(scratch);
  const std::string checkpoint = scratch.read("run/checkpoints/last.sculpt");
  const auto forged = [&](const std::function<void(SavedPlane&)>& forge) {
    scratch.write("run/checkpoints/last.sculpt", checkpoint);
    const std::int64_t example = forge_heaviest_plane(scratch / "run", forge);
    return std::pair("example " + std::to_string(example),
                     verify_json(scratch, 1)["refuted"].dump());
  };
  const auto half = forged([](SavedPlane& plane) { plane.alpha /= 2; });
  check_contains(half.second, {"dual: reported", "planes and alpha give"});
  const auto beyond = forged([](SavedPlane& plane) { plane.alpha += 100; });
  check_contains(beyond.second, {"dual: alpha of " + beyond.first + " adds up to"});
  const auto plane = forged([](SavedPlane& saved) { saved.b += 0.25; });
  check_contains(plane.second, {"planes: " + plane.first + ": plane ", " is violated by "});
}

TEST_CASE("verify refuses changed data with 65, and names the option for data that was moved") {
  const Scratch scratch;
  train_noisy(scratch);
  const std::string words = scratch.read("noisy.txt");
  std::string other = words;
  other[other.find(" 1\n")] = ' ';
  other.replace(other.rfind(" 1\n"), 3, " 0\n");
  scratch.write("noisy.txt", other);
  const Outcome changed = verify(scratch);
  CHECK(changed.exit == 65);
  CHECK(changed.out.empty());
  check_contains(changed.err, {"the data of train", "run/model.sculpt was written with"});

  fs::remove(scratch / "noisy.txt");
  fs::create_directory(scratch / "elsewhere");
  scratch.write("elsewhere/words.txt", words);
  const Outcome moved = verify(scratch);
  CHECK(moved.exit == 66);
  check_contains(moved.err, {"noisy.txt", "--set dataset.train=PATH"});
  CHECK(verify(scratch, {"--set", "dataset.train=elsewhere/words.txt"}).exit == 0);
}

TEST_CASE("verify refuses what is not a finished run, and files of different runs") {
  const Scratch scratch;
  CHECK(scratch.sculpt({"verify"}).exit == 64);
  check_refused(scratch, verify(scratch), 66, {"run: is not a run folder"});
  train_noisy(scratch);
  const Outcome other_C = verify(scratch, {"--set", "solver.C=7"});
  CHECK(other_C.exit == 78);
  check_contains(other_C.err, {"solver.C is 7", "verify needs the run as it was trained"});
  CHECK(verify(scratch, {"--probes", "-1"}).exit == 64);
  const Outcome file = scratch.sculpt({"verify", "run/model.sculpt"});
  CHECK(file.exit == 66);

  // A run that was killed after a resume: the checkpoint may be newer than the model.
  const std::string events = scratch.read("run/events.jsonl");
  scratch.write("run/events.jsonl", events + R"({"event":"resumed","pass":3,"seconds":1})" + "\n");
  const Outcome gone_on = verify(scratch);
  CHECK(gone_on.exit == 65);
  check_contains(gone_on.err, {"has continued since its model was written", "train --resume"});
  scratch.write("run/events.jsonl", events);
  CHECK(verify(scratch).exit == 0);

  // The checkpoint of another run.
  const std::string checkpoint = scratch.read("run/checkpoints/last.sculpt");
  train_run(scratch, {"", {"solver.C=7", "solver.relative_gap=1e-3"}}, {"--force"});
  scratch.write("run/checkpoints/last.sculpt", checkpoint);
  const Outcome mixed = verify(scratch);
  CHECK(mixed.exit == 78);
  check_contains(mixed.err, {"checkpoints/last.sculpt was written with 100"});

  fs::remove(scratch / "run/model.sculpt");
  CHECK(verify(scratch).exit == 66);
}

TEST_CASE("verify ends with 69 if a plugin of the run is gone") {
  const Scratch scratch;
  write_small_experiment(scratch);
  CHECK(scratch
            .sculpt(with_test_plugins(
                {"train", "small.json", "--output", "run", "--set", "loss=alarm"}))
            .exit == 0);
  CHECK(verify(scratch).exit == 0);
  const Outcome gone = verify(scratch, {"--set", "plugin_path=[]"});
  CHECK(gone.exit == 69);
  check_contains(gone.err, {"alarm", "no library has it"});
}

TEST_CASE("Ctrl-C ends verify with 130 and changes no file") {
  const Scratch scratch;
  REQUIRE(scratch.sculpt(endless_command("run", {"--set", "solver.max_passes=3"})).exit == 3);
  const auto before = files_of(scratch);
  // With so many probes verify takes some seconds.
  Process process = scratch.start({"verify", "run", "--probes", "1000"});
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  process.signal(SIGINT);
  const Outcome outcome = process.wait();
  CHECK(outcome.exit == 130);
  CHECK(outcome.out.empty());
  CHECK(files_of(scratch) == before);
}

TEST_CASE("a model with a replaced oracle does not need the plugin of the old one") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "noisy.json", "--output", "run"}).exit == 0);
  const Outcome before = scratch.sculpt({"evaluate", "run", "noisy.txt", "--set", "oracle=icm"});
  CHECK(before.exit == 0);
  forge_model(scratch / "run", [](nlohmann::ordered_json& header, std::vector<double>&) {
    std::string text = header.dump();
    for (std::size_t at = text.find("viterbi"); at != std::string::npos;
         at = text.find("viterbi")) {
      text.replace(at, 7, "absents");
    }
    header = nlohmann::ordered_json::parse(text);
  });
  const Outcome refused = scratch.sculpt({"evaluate", "run", "noisy.txt"});
  CHECK(refused.exit == 69);
  CHECK(refused.err.find("absents") != std::string::npos);
  const Outcome after = scratch.sculpt({"evaluate", "run", "noisy.txt", "--set", "oracle=icm"});
  INFO(after.err);
  CHECK(after.exit == 0);
  CHECK(after.out == before.out);
}
