// sculpt sweep: the table does not depend on threads or interruptions, and what fails is named.

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

std::vector<std::string> words(const std::string& output, const std::vector<std::string>& more) {
  std::vector<std::string> all{"sweep", "noisy.json", "--output", output};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const std::vector<std::string> grid{
    "--set", "solver.C=1,30", "--set", "solver.batch=0,16", "--folds", "2"};

std::vector<std::string> with(std::vector<std::string> list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

// Without the times, and the memory that went with them.
Json timeless(const Json& json) {
  if (!json.is_structured()) return json;
  Json kept = json.is_object() ? Json::object() : Json::array();
  for (const auto& [key, value] : json.items()) {
    if (json.is_array()) kept.push_back(timeless(value));
    if (json.is_object() && !key.ends_with("seconds") && key != "seconds_to_gap" &&
        key != "peak_memory_bytes") {
      kept[key] = timeless(value);
    }
  }
  return kept;
}

Json table(const Scratch& scratch, const std::string& sweep) {
  return timeless(Json::parse(scratch.read(sweep + "/sweep.json")));
}

Json started(const Scratch& scratch, const std::string& run) {
  const std::string events = scratch.read(run + "/events.jsonl");
  return Json::parse(events.substr(0, events.find('\n')));
}

bool says(const Outcome& outcome, const std::string& text) {
  return outcome.err.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("threads: the table of a sweep is the same for one thread and for two") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Outcome one = scratch.sculpt(words("one", with(grid, {"--threads", "1"})));
  INFO(one.err);
  REQUIRE(one.exit == 0);
  REQUIRE(scratch.sculpt(words("two", with(grid, {"--threads", "2"}))).exit == 0);
  const Json rows = table(scratch, "one");
  CHECK(rows == table(scratch, "two"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[2]["settings"] == Json{"solver.C=30", "solver.batch=0"});
  CHECK(rows[2]["certified"] == 2);
  CHECK(rows[2]["validation"]["loss"]["standard_error"].is_number());
  CHECK(rows[2]["cells"].size() == 2);
  // C = 30 begins with the planes of C = 1.
  CHECK_FALSE(started(scratch, "one/cells/000.fold0").contains("warm_start"));
  CHECK(started(scratch, "one/cells/002.fold0")["warm_start"]["planes"].get<int>() > 0);
  CHECK(one.out == scratch.read("one/sweep.md"));
  CHECK(one.out.find("| solver.C | solver.batch | seconds to gap | passes |") == 0);
  CHECK(scratch.read("one/sweep.csv").find("validation loss standard error") != std::string::npos);
  REQUIRE(scratch.sculpt(words("cold", with(grid, {"--cold"}))).exit == 0);
  CHECK_FALSE(started(scratch, "cold/cells/002.fold0").contains("warm_start"));
}

TEST_CASE("threads: sweeps that are stopped or killed and resumed give the same table") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const std::vector<std::string> all = with(grid, {"--best", "loss"});
  REQUIRE(scratch.sculpt(words("plain", all)).exit == 0);
  const Json expected = table(scratch, "plain");
  for (const int signal : {SIGTERM, SIGKILL}) {
    CAPTURE(signal);
    fs::remove_all(scratch / "sweep");
    int hits = 0;
    for (int k = 0; k < 6; ++k) {
      Process process = scratch.start(words("sweep", with(all, {"--resume"})));
      std::this_thread::sleep_for(std::chrono::milliseconds(60 + 50 * k));
      hits += process.running() ? 1 : 0;
      process.signal(signal);
      const Outcome outcome = process.wait();
      INFO(outcome.err);
      CHECK((outcome.exit == 0 || outcome.exit == 128 + signal));
      // A signal that comes before the sweep has begun ends it without a word.
      const bool began = fs::exists(scratch / "sweep" / "cells");
      if (outcome.exit == 128 + SIGTERM && began) CHECK(says(outcome, "--resume goes on"));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // for cells to die with us
    }
    CHECK(hits > 0);
    const Outcome last = scratch.sculpt(words("sweep", with(all, {"--resume"})));
    INFO(last.err);
    CHECK(last.exit == 0);
    CHECK(table(scratch, "sweep") == expected);
    CHECK(scratch.read("sweep/best/model.sculpt") == scratch.read("plain/best/model.sculpt"));
  }
}

TEST_CASE("a sweep that was killed while it wrote its plan is begun anew") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  fs::create_directories(scratch / "sweep");
  scratch.write("sweep/plan.json.partial", "{\"exper");
  const std::vector<std::string> small = {"--set", "solver.C=1,3"};
  CHECK(scratch.sculpt(words("sweep", with(small, {"--resume"}))).exit == 0);
  CHECK_FALSE(fs::exists(scratch / "sweep" / "plan.json.partial"));

  fs::create_directories(scratch / "other");
  scratch.write("other/notes.txt", "not a sweep");
  const Outcome refused = scratch.sculpt(words("other", with(small, {"--resume"})));
  CHECK(refused.exit == 73);
  CHECK(says(refused, "something else than a sweep"));
}

TEST_CASE("--best trains with the best settings on everything, as train would") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Outcome outcome = scratch.sculpt(words("sweep", with(grid, {"--best", "label_error"})));
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json rows = table(scratch, "sweep");
  std::size_t best = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const auto error = [&](std::size_t row) {
      return rows[row]["validation"]["label_error"]["mean"].get<double>();
    };
    if (error(k) < error(best)) best = k;
  }
  Variant variant{"", rows[best]["settings"].get<std::vector<std::string>>()};
  REQUIRE(scratch.sculpt(train_words(variant, "plain")).exit == 0);
  CHECK(scratch.read("sweep/best/model.sculpt") == scratch.read("plain/model.sculpt"));
  CHECK(outcome.out.find("relative gap") != std::string::npos);
}

TEST_CASE("a cell that crashes is named, and the others are not lost") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto sweep = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{
        "sweep",    "small.json",
        "--output", "sweep",
        "--set",    R"(loss=hamming,{"use":"crash","at":"add","how":"abort","example":1})"};
    all.insert(all.end(), more.begin(), more.end());
    return scratch.sculpt(with_test_plugins(all));
  };
  const Outcome outcome = sweep({});
  INFO(outcome.err);
  INFO(outcome.out);
  CHECK(outcome.exit == 69);
  CHECK(outcome.out.find("1 of 1 failed") != std::string::npos);
  CHECK(outcome.out.find("exit 69: crash: example 1: crashed in factor-loss.add") !=
        std::string::npos);
  const Json rows = table(scratch, "sweep");
  CHECK(rows[0]["failed"] == 0);
  CHECK(rows[0]["test"]["loss"]["mean"].is_number());
  CHECK(rows[1]["failed"] == 1);
  CHECK(sweep({"--resume"}).exit == 69);
  CHECK(table(scratch, "sweep") == rows);
}

TEST_CASE("a sweep in which a target was not reached ends with 3") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  CHECK(scratch.sculpt(words("sweep", {"--set", "solver.max_passes=2,400"})).exit == 3);
  CHECK(table(scratch, "sweep")[0]["cells"][0]["stopped_by"] == "max_passes");
}

TEST_CASE("sweeps that cannot be meant are refused before anything is trained") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const auto refused = [&](const std::vector<std::string>& more, int exit,
                           const std::string& text) {
    check_refused(scratch, scratch.sculpt(words("runs", more)), exit, {text});
  };
  refused({"--set", "solver.D=1,2"}, 78, "unknown key \"D\"");
  refused({"--set", "solver.C=1,x"}, 78, "--set solver.C=x");
  refused({"--set", "solver.C=1,"}, 64, "a value is empty");
  refused({"--set", "solver.C"}, 64, "KEY=VALUE");
  refused({"--set", "oracle=viterbi,witerbi"}, 78, "witerbi");
  refused({"--folds", "1"}, 64, "--folds takes");
  refused({"--hold-out", "1"}, 64, "--hold-out takes");
  refused({"--folds", "2", "--hold-out", "0.5"}, 64, "give one of the two");
  refused({"--seed", "2"}, 64, "give --folds or --hold-out");
  refused({"--best", "f1:best"}, 64, "METRIC:min");
  const Outcome nothing_held_out =
      scratch.sculpt(words("sweep", {"--set", "solver.C=1,2", "--best", "loss"}));
  CHECK(nothing_held_out.exit == 78);
  CHECK(says(nothing_held_out, "nothing is held out"));
}

TEST_CASE("a folder that holds something else is not touched, and one sweep is not another") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const std::vector<std::string> quick{"--set", "solver.max_passes=1,2"};
  CHECK(scratch.sculpt(words("sweep", quick)).exit == 3);
  const Outcome again = scratch.sculpt(words("sweep", quick));
  CHECK(again.exit == 73);
  CHECK(says(again, "--resume"));
  const Outcome other =
      scratch.sculpt(words("sweep", {"--set", "solver.max_passes=1,3", "--resume"}));
  CHECK(other.exit == 78);
  CHECK(says(other, "the sweep there has"));
  CHECK(scratch.sculpt(words("sweep", {"--set", "solver.max_passes=1,3", "--force"})).exit == 3);
  fs::create_directory(scratch / "mine");
  scratch.write("mine/thesis.txt", "...");
  CHECK(scratch.sculpt(words("mine", with(quick, {"--force"}))).exit == 73);
  CHECK(scratch.read("mine/thesis.txt") == "...");
}
