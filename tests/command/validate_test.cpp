// Runs that keep the model of the pass that is best on validation examples (validate_every).
//
// The answers come from runs without validation: one for each validated pass, with this number as
// max_passes, measured by evaluate.

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <sstream>

#include "command/host_process.hpp"
#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

// Rows of three classes with 12 columns; a fifth of the labels are wrong, so that a large C learns
// noise.
std::string noisy_rows(std::uint64_t seed, int count) {
  std::uint64_t state = seed;
  const auto below = [&](std::uint64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
  };
  std::ostringstream rows;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t label = below(3);
    rows << (below(5) == 0 ? below(3) : label) + 1;
    for (std::uint64_t column = 1; column <= 12; ++column) {
      const bool is_own = column % 3 == label;
      rows << ' ' << column << ':' << (static_cast<double>(below(100)) + (is_own ? 25 : 0)) / 50;
    }
    rows << '\n';
  }
  return rows.str();
}

void write_rows_experiment(const Scratch& scratch) {
  scratch.write("train.txt", noisy_rows(1, 60));
  scratch.write("validation.txt", noisy_rows(2, 45));
  scratch.write("rows.json", R"({
    "dataset": {"use": "svmlight", "train": "train.txt", "validation": "validation.txt"},
    "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 1000, "relative_gap": 1e-6}, "checkpoint_seconds": 0})");
}

Outcome train_rows(const Scratch& scratch, const std::string& output,
                   const std::vector<std::string>& sets,
                   const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"train", "rows.json", "--output", output};
  for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
  words.insert(words.end(), more.begin(), more.end());
  Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  REQUIRE((outcome.exit == 0 || outcome.exit == 3));
  return outcome;
}

std::vector<std::string> operator+(std::vector<std::string> words,
                                   const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The events "validated".
std::vector<Json> validations(const Scratch& scratch, const std::string& run) {
  std::vector<Json> events;
  std::istringstream lines(scratch.read(run + "/events.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    Json event = Json::parse(line);
    if (event["event"] == "validated") events.push_back(event);
  }
  return events;
}

double validation_loss(const Scratch& scratch, const std::string& run) {
  const Outcome outcome = scratch.sculpt({"evaluate", run, "validation.txt", "--json"});
  REQUIRE(outcome.exit == 0);
  return Json::parse(outcome.out)["loss"].get<double>();
}

std::vector<double> weights_in(const Scratch& scratch, const std::string& run) {
  return weights_of(scratch.read(run + "/model.sculpt"));
}

}  // namespace

TEST_CASE("the kept model is that of the pass with the best validation, for every solver") {
  const std::vector<std::vector<std::string>> solvers{
      {"solver=n_slack", "solver.C=1000"},
      {"solver=n_slack", "solver.C=1000", "solver.batch=0"},
      {"solver=one_slack", "solver.C=1000"},
      {"solver=frank_wolfe", "solver.C=1000"},
      {"solver=perceptron", "solver.max_passes=100"},
      {"solver=subgradient", "solver.C=1000"},
      {"solver=crf", "solver.C=1000", "solver.relative_gap=1e-9"}};
  const Scratch scratch;
  write_rows_experiment(scratch);
  for (const std::vector<std::string>& solver : solvers) {
    CAPTURE(solver.front());
    const auto outcome = train_rows(
        scratch, "run",
        solver + std::vector<std::string>{"solver.validate_every=2", "solver.validate_patience=2"},
        {"--force"});
    const std::vector<Json> events = validations(scratch, "run");
    REQUIRE_FALSE(events.empty());
    int best_pass = 0;
    double best = 2;
    for (const Json& event : events) {
      const int pass = event["pass"];
      train_rows(scratch, "short",
                 solver + std::vector<std::string>{"solver.max_passes=" + std::to_string(pass)},
                 {"--force"});
      const double loss = validation_loss(scratch, "short");
      CAPTURE(pass);
      CHECK(event["value"].get<double>() == doctest::Approx(loss));
      if (loss < best) best_pass = pass;
      best = std::min(best, loss);
      CHECK(event["best"] == (best_pass == pass));
    }
    const Json finished = scratch.finished("run");
    CHECK(finished["validated"]["best_pass"] == best_pass);
    CHECK(finished["validated"]["best_value"].get<double>() == doctest::Approx(best));
    CHECK(validation_loss(scratch, "run") == doctest::Approx(best));
    train_rows(scratch, "short",
               solver + std::vector<std::string>{"solver.max_passes=" + std::to_string(best_pass)},
               {"--force"});
    CHECK(weights_in(scratch, "run") == weights_in(scratch, "short"));
    // The certificate is that of the kept model, too.
    CHECK(finished["primal"] == scratch.finished("short")["primal"]);
    CHECK(finished["dual"] == scratch.finished("short")["dual"]);
    if (finished["stopped_by"] == "validation" && events.back()["pass"] != best_pass) {
      CHECK(outcome.exit == 3);
      CHECK(
          contains(outcome.out, "pass " + std::to_string(best_pass) + ", the best by validation"));
    }
  }
}

TEST_CASE("a run ends after so many validations that are not better") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  for (const int patience : {1, 3}) {
    train_rows(scratch, "run",
               {"solver=frank_wolfe", "solver.C=1000", "solver.validate_every=2",
                "solver.validate_patience=" + std::to_string(patience)},
               {"--force"});
    const Json finished = scratch.finished("run");
    const std::vector<Json> events = validations(scratch, "run");
    const int best_pass = finished["validated"]["best_pass"];
    REQUIRE(finished["validated"]["run_stopped_by"] == "validation");
    CHECK(finished["stopped_by"] == "validation");
    CHECK(finished["validated"]["last_pass"] == best_pass + 2 * patience);
    CHECK(std::ssize(events) == best_pass / 2 + patience);
    CHECK(finished["relative_gap"].get<double>() > 1e-6);
    CHECK(finished["certified"] == true);
  }
}

TEST_CASE("without an end by patience the run goes on to its target and keeps the best model") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  train_rows(scratch, "plain", {});
  const Outcome outcome =
      train_rows(scratch, "run", {"solver.validate_every=2", "solver.validate_patience=0"});
  const Json finished = scratch.finished("run");
  REQUIRE(scratch.finished("plain")["stopped_by"] == "relative_gap");
  CHECK(finished["validated"]["run_stopped_by"] == "relative_gap");
  CHECK(finished["validated"]["last_pass"] == scratch.finished("plain")["passes"]);
  // The kept model has not reached the target, and says so.
  REQUIRE(finished["validated"]["best_pass"] < finished["validated"]["last_pass"]);
  CHECK(outcome.exit == 3);
  CHECK(finished["stopped_by"] == "validation");
  CHECK(contains(outcome.out, "stopped by      relative_gap after pass "));
  CHECK(contains(outcome.out, "not reached"));
}

TEST_CASE("the last model is kept if it has reached its target and is as good as the best") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  scratch.write("train.txt", "1 1:1\n2 2:1\n3 3:1\n");
  scratch.write("validation.txt", "1 1:2\n2 2:2\n3 3:2\n");
  train_rows(scratch, "plain", {});
  const Outcome outcome =
      train_rows(scratch, "run", {"solver.validate_every=1", "solver.validate_patience=0"});
  CHECK(outcome.exit == 0);
  CHECK(weights_in(scratch, "run") == weights_in(scratch, "plain"));
  const Json finished = scratch.finished("run");
  CHECK(finished["stopped_by"] == "relative_gap");
  CHECK(finished["validated"]["best_pass"] == finished["validated"]["last_pass"]);
}

TEST_CASE("the kept model does not depend on threads, limits and interruptions") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  for (const std::string solver : {"n_slack", "one_slack", "frank_wolfe", "subgradient", "crf"}) {
    CAPTURE(solver);
    const std::vector<std::string> sets{"solver=" + solver, "solver.C=1000",
                                        "solver.validate_every=2", "solver.validate_patience=4",
                                        "solver.max_passes=200"};
    train_rows(scratch, "whole", sets, {"--force", "--threads", "1"});
    const std::string whole = scratch.read("whole/model.sculpt");
    train_rows(scratch, "threads", sets, {"--force", "--threads", "3"});
    CHECK(scratch.read("threads/model.sculpt") == whole);
    fs::remove_all(scratch / "run");
    for (const std::string limit : {"1", "3", "4", "7", "200"}) {
      train_rows(scratch, "run", sets + std::vector<std::string>{"solver.max_passes=" + limit},
                 {"--resume", "--threads", "2"});
    }
    CHECK(scratch.read("run/model.sculpt") == whole);
    CHECK(validations(scratch, "run") == validations(scratch, "whole"));
  }
}

TEST_CASE("a killed run finds its best model again") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  const std::vector<std::string> sets{"solver.validate_every=1", "solver.validate_patience=0"};
  train_rows(scratch, "whole", sets);
  std::vector<std::string> words{"train", "rows.json", "--output", "run", "--resume"};
  for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
  for (int kill = 0; kill < 6; ++kill) {
    Process process = scratch.start(words);
    for (int wait = 0; wait <= kill && process.running(); ++wait) {
      scratch.run({"sleep", "0.02"});
    }
    process.signal(SIGKILL);
    process.wait();
  }
  train_rows(scratch, "run", sets, {"--resume"});
  CHECK(scratch.read("run/model.sculpt") == scratch.read("whole/model.sculpt"));
}

TEST_CASE("validation needs validation examples, and never takes those of test") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  const std::string every = "solver.validate_every=2";
  const auto refused = [&](const std::vector<std::string>& sets) {
    std::vector<std::string> words{"train", "rows.json", "--output", "refused"};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    const Outcome outcome = scratch.sculpt(words);
    CHECK(outcome.exit == 78);
    return outcome.err;
  };
  const std::string text =
      refused({every, "dataset.validation=null", "dataset.test=validation.txt"});
  CHECK(contains(text, "\"validate_every\" needs validation examples"));
  CHECK(contains(text, "--set dataset.validation=FILE"));
  CHECK(contains(text, "--set hold_out.fraction=0.2"));
  CHECK_FALSE(fs::exists(scratch / "refused"));
  CHECK(contains(refused({"solver.validate_patience=3"}), "validate_every"));
  CHECK(contains(refused({every, "solver.validate_metric=los"}), "use one of: loss"));
  CHECK_FALSE(fs::exists(scratch / "refused"));
  // Held-out examples serve as well.
  train_rows(scratch, "held",
             {every, "dataset.validation=null", "hold_out.fraction=0.3", "solver.max_passes=4"});
  CHECK(scratch.finished("held")["validated"]["last_pass"] == 4);
}

TEST_CASE("the kept model is described, verified and reported as that of its pass") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  train_rows(scratch, "run", {"solver.validate_every=2", "solver.validate_patience=2"});
  const std::string pass = scratch.finished("run")["validated"]["best_pass"].dump();
  const Outcome described = scratch.sculpt({"describe", "run"});
  CHECK(
      contains(described.out, "kept            pass " + pass + ", the best by validation: loss "));
  const Outcome verified = scratch.sculpt({"verify", "run"});
  INFO(verified.out);
  INFO(verified.err);
  CHECK(verified.exit == 3);  // verified, but the target is not reached
  CHECK(contains(verified.out, "rows: verified: gap "));
  CHECK(scratch.sculpt({"report", "run"}).exit == 0);
  const Outcome again =
      scratch.sculpt({"train", "rows.json", "--output", "run", "--resume", "--set",
                      "solver.validate_every=2", "--set", "solver.validate_patience=2"});
  CHECK(again.exit == 3);
  CHECK(contains(again.err, "has already ended, stopped by validation"));
}

TEST_CASE("a run without validation writes none of its keys") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  train_rows(scratch, "run", {"solver.max_passes=2"});
  CHECK_FALSE(contains(scratch.read("run/model.sculpt"), "validate"));
  CHECK_FALSE(contains(scratch.read("run/config.json"), "validate_"));
  CHECK_FALSE(fs::exists(scratch / "run/checkpoints/best.sculpt"));
}

TEST_CASE("notes on validation stand below the headings of the table") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  const Outcome outcome = train_rows(scratch, "run", {"solver.validate_every=1"});
  INFO(outcome.err);
  const std::size_t note = outcome.err.find("  validation after pass 1: ");
  REQUIRE(note != std::string::npos);
  CHECK(note > outcome.err.find("rel. gap  seconds\n"));
}
