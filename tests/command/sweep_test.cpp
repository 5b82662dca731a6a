// sculpt sweep: the table does not depend on threads or interruptions, and failed cells are
// reported.

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

const std::vector<std::string> grid{
    "--set", "solver.C=1,30", "--set", "solver.batch=0,16", "--folds", "2"};

std::vector<std::string> with(std::vector<std::string> list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

}  // namespace

TEST_CASE("threads: the table of a sweep is the same for one thread and for two") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Outcome one = scratch.sculpt(sweep_command("one", with(grid, {"--threads", "1"})));
  INFO(one.err);
  REQUIRE(one.exit == 0);
  REQUIRE(scratch.sculpt(sweep_command("two", with(grid, {"--threads", "2"}))).exit == 0);
  const Json rows = sweep_table(scratch, "one");
  CHECK(rows == sweep_table(scratch, "two"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[2]["settings"] == Json{"solver.C=30", "solver.batch=0"});
  CHECK(rows[2]["certified"] == 2);
  CHECK(rows[2]["validation"]["loss"]["standard_error"].is_number());
  CHECK(rows[2]["cells"].size() == 2);
  // C = 30 starts with the planes of C = 1.
  CHECK_FALSE(scratch.started("one/cells/000.fold0").contains("warm_start"));
  CHECK(scratch.started("one/cells/002.fold0")["warm_start"]["planes"].get<int>() > 0);
  CHECK(one.out == scratch.read("one/sweep.md"));
  CHECK(one.out.find("| solver.C | solver.batch | seconds to gap | passes |") == 0);
  CHECK(scratch.read("one/sweep.csv").find("validation loss standard error") != std::string::npos);
  REQUIRE(scratch.sculpt(sweep_command("cold", with(grid, {"--cold"}))).exit == 0);
  CHECK_FALSE(scratch.started("cold/cells/002.fold0").contains("warm_start"));
}

TEST_CASE("cells of every solver with planes start with the planes of the next smaller C") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  for (const std::string solver : {"one_slack", "frank_wolfe"}) {
    CAPTURE(solver);
    const Outcome outcome = scratch.sculpt(
        sweep_command(solver, {"--set", "solver.C=1,5", "--set", "solver.use=" + solver, "--set",
                               "solver.relative_gap=0.05"}));
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    CHECK_FALSE(scratch.started(solver + "/cells/000").contains("warm_start"));
    CHECK(scratch.started(solver + "/cells/001")["warm_start"]["planes"].get<int>() > 0);
  }
}

TEST_CASE("cells whose planes are those of samples all start from nothing") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const Outcome outcome = scratch.sculpt(
      sweep_command("sampled", {"--set", "solver.C=1,5", "--set", "solver.use=one_slack", "--set",
                                "solver.cut_sample=20", "--set", "solver.max_passes=4"}));
  INFO(outcome.err);
  for (const std::string cell : {"sampled/cells/000", "sampled/cells/001"}) {
    CHECK_FALSE(scratch.started(cell).contains("warm_start"));
    CHECK(scratch.finished(cell)["primal"].is_number());
  }
}

TEST_CASE("threads: sweeps that are stopped or killed and resumed give the same table") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const std::vector<std::string> all = with(grid, {"--best", "loss"});
  REQUIRE(scratch.sculpt(sweep_command("plain", all)).exit == 0);
  const Json expected = sweep_table(scratch, "plain");
  for (const int signal : {SIGTERM, SIGKILL}) {
    CAPTURE(signal);
    fs::remove_all(scratch / "sweep");
    int hits = 0;
    for (int k = 0; k < 6; ++k) {
      Process process = scratch.start(sweep_command("sweep", with(all, {"--resume"})));
      std::this_thread::sleep_for(std::chrono::milliseconds(60 + 50 * k));
      hits += process.running() ? 1 : 0;
      process.signal(signal);
      const Outcome outcome = process.wait();
      INFO(outcome.err);
      CHECK((outcome.exit == 0 || outcome.exit == 128 + signal));
      // A signal before the sweep has begun ends it without a message. A signal while a resumed
      // sweep reads its data ends it like any command.
      const bool began = fs::exists(scratch / "sweep" / "cells") &&
                         !contains(outcome.err, "stopped on request, before there was a result");
      if (outcome.exit == 128 + SIGTERM && began)
        CHECK(contains(outcome.err, "--resume continues"));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // time for the cells to end
    }
    CHECK(hits > 0);
    const Outcome last = scratch.sculpt(sweep_command("sweep", with(all, {"--resume"})));
    INFO(last.err);
    CHECK(last.exit == 0);
    CHECK(sweep_table(scratch, "sweep") == expected);
    CHECK(scratch.read("sweep/best/model.sculpt") == scratch.read("plain/best/model.sculpt"));
  }
}

TEST_CASE("an audit that some cell cannot have is refused before the first cell") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  for (const std::string solver : {"crf", "soda"}) {
    const Outcome outcome = scratch.sculpt(sweep_command(
        "sweep", {"--set", "solver.use=n_slack," + solver, "--audit-with", "enumerate"}));
    check_refused(scratch, outcome, exit_config,
                  {"\"audit_with\" needs an objective of structural hinges"});
    CHECK_FALSE(fs::exists(scratch / "sweep"));
  }
}

TEST_CASE("a sweep ends even if its parent ignores SIGCHLD") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  Process process = scratch.start(sweep_command("sweep", {"--set", "solver.C=1,3"}));
  std::signal(SIGCHLD, before);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (process.running() && std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  REQUIRE_FALSE(process.running());
  CHECK(process.wait().exit == 0);
}

TEST_CASE("a sweep that was killed while it wrote its plan starts again") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  fs::create_directories(scratch / "sweep");
  scratch.write("sweep/plan.json.partial", "{\"exper");
  const std::vector<std::string> small = {"--set", "solver.C=1,3"};
  CHECK(scratch.sculpt(sweep_command("sweep", with(small, {"--resume"}))).exit == 0);
  CHECK_FALSE(fs::exists(scratch / "sweep" / "plan.json.partial"));

  fs::create_directories(scratch / "other");
  scratch.write("other/notes.txt", "not a sweep");
  const Outcome refused = scratch.sculpt(sweep_command("other", with(small, {"--resume"})));
  CHECK(refused.exit == 73);
  CHECK(contains(refused.err, "files that belong to no sweep"));
}

TEST_CASE("--best trains with the best settings on all examples, as train does") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Outcome outcome =
      scratch.sculpt(sweep_command("sweep", with(grid, {"--best", "label_error"})));
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json rows = sweep_table(scratch, "sweep");
  std::size_t best = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const auto error = [&](std::size_t row) {
      return rows[row]["validation"]["label_error"]["mean"].get<double>();
    };
    if (error(k) < error(best)) best = k;
  }
  Variant variant{"", rows[best]["settings"].get<std::vector<std::string>>()};
  REQUIRE(scratch.sculpt(train_command(variant, "plain")).exit == 0);
  CHECK(scratch.read("sweep/best/model.sculpt") == scratch.read("plain/model.sculpt"));
  CHECK(outcome.out.find("relative gap") != std::string::npos);
}

TEST_CASE("a cell that crashes is reported, and the other cells are kept") {
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
  const Json rows = sweep_table(scratch, "sweep");
  CHECK(rows[0]["failed"] == 0);
  CHECK(rows[0]["test"]["loss"]["mean"].is_number());
  CHECK(rows[1]["failed"] == 1);
  CHECK(fs::exists(scratch / "sweep/cells/000.json"));
  // A crashed run has no peak.
  CHECK(Json::parse(scratch.read("sweep/cells/001.json")) == Json{{"exit", 69}});
  CHECK(sweep({"--resume"}).exit == 69);
  CHECK(sweep_table(scratch, "sweep") == rows);
}

TEST_CASE("a sweep may vary a whole section and keys inside of it, in any order") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Outcome outcome = scratch.sculpt(
      sweep_command("sweep", {"--set", "solver.C=1,30", "--set", "solver=n_slack,one_slack"}));
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const auto C = [&](const std::string& cell) {
    return Json::parse(scratch.read("sweep/cells/" + cell + "/config.json"))["solver"]["C"];
  };
  CHECK(C("000") == 1);
  CHECK(C("001") == 1);
  CHECK(C("002") == 30);
  CHECK(C("003") == 30);
  check_refused(
      scratch,
      scratch.sculpt(sweep_command("runs", {"--set", "solver.C=1,30", "--set",
                                            R"(solver={"use":"n_slack","C":5},one_slack)"})),
      64, {"\"solver.C\" is also set by --set solver.C=1"});
}

TEST_CASE("a sweep over solvers of several objectives says what each minimizes") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Outcome outcome = scratch.sculpt(
      sweep_command("sweep", {"--set", "solver=n_slack,crf,soda,z_score,perceptron,generative"}));
  INFO(outcome.err);
  REQUIRE(outcome.exit == 3);  // perceptron and generative prove no gap
  const Json rows = Json::parse(scratch.read("sweep/sweep.json"));
  REQUIRE(rows.size() == 6);
  const std::vector<std::string> minimizes = {"hinge",   "log_loss", "moments",
                                              "moments", "nothing",  "nothing"};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CAPTURE(k);
    CHECK(rows[k]["minimizes"] == minimizes[k]);
    CHECK(rows[k]["test"].contains("label_error"));
    CHECK(rows[k].contains("hinge_primal") == (minimizes[k] == "moments"));
  }
  const std::string text = scratch.read("sweep/sweep.md");
  CHECK(text.find("| minimizes | hinge primal |") != std::string::npos);
  CHECK(text.find("| log_loss |") != std::string::npos);
}

TEST_CASE("a sweep whose cells all fail ends with the exit code of the first, also with --best") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt(with_test_plugins(
      {"sweep", "small.json", "--output", "sweep", "--hold-out", "0.3", "--best", "loss", "--set",
       R"(loss={"use":"crash","at":"add","how":"abort","example":1})"}));
  INFO(outcome.err);
  CHECK(outcome.exit == 69);
  CHECK(contains(outcome.err, ": 1 cell, "));
  CHECK(contains(outcome.err, "--best: all points have failed, so none is chosen"));
  CHECK(outcome.out.find("1 of 1 failed") != std::string::npos);
}

TEST_CASE("a sweep in which a target was not reached ends with 3") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  CHECK(scratch.sculpt(sweep_command("sweep", {"--set", "solver.max_passes=2,400"})).exit == 3);
  CHECK(sweep_table(scratch, "sweep")[0]["cells"][0]["stopped_by"] == "max_passes");
}

TEST_CASE("sweeps with a mistake are refused before anything is trained") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const auto refused = [&](const std::vector<std::string>& more, int exit,
                           const std::string& text) {
    check_refused(scratch, scratch.sculpt(sweep_command("runs", more)), exit, {text});
  };
  refused({"--set", "solver.D=1,2"}, 78, "unknown key \"D\"");
  refused({"--set", "solver.C=1,x"}, 78, "--set solver.C=x");
  refused({"--set", "solver.C=1,"}, 64, "a value is empty");
  refused({"--set", "solver.C"}, 64, "KEY=VALUE");
  refused({"--set", "oracle=viterbi,witerbi"}, 78, "witerbi");
  refused({"--folds", "1"}, 64, "--folds must be");
  refused({"--hold-out", "1"}, 64, "--hold-out must be");
  refused({"--folds", "2", "--hold-out", "0.5"}, 64, "give one of the two");
  refused({"--seed", "2"}, 64, "--seed needs --folds or --hold-out");
  refused({"--best", "f1:best"}, 64, "METRIC:min");
  refused({"--output", ""}, 64, "--output");
  refused({"--set", "output=a,b"}, 64, "choose that folder with --output DIR");
  refused({"--set", "hold_out.seed=1,2", "--folds", "2"}, 64, "--folds 2 sets what is held out");
  refused({"--set", "solver.C=1,3,1.0"}, 64, "solver.C=1 and solver.C=1.0 are the same");
  refused({"--set", "threads=1,2"}, 64, "are the same experiment");
  refused({"--set", "dataset.train=none.txt", "--set", "solver.C=1,2"}, 66, "none.txt");
  refused({"--set", "solver.C=1,2", "--best", "loss"}, 78, "nothing is held out");
  // Mistakes that all cells would fail with. The data has 48 words in 12 groups.
  refused({"--folds", "49"}, 78, "there are 48 examples; that is too few for 49 folds");
  refused({"--folds", "2", "--groups", "none.txt"}, 66, "none.txt");
  scratch.write("groups.txt", "a\nb\n");
  refused({"--folds", "2", "--groups", "groups.txt"}, 65, "groups.txt:2: the file ends here");
  std::string groups;
  for (int k = 0; k < 48; ++k) groups += "writer" + std::to_string(k / 4) + "\n";
  scratch.write("groups.txt", groups);
  refused({"--folds", "13", "--groups", "groups.txt"}, 78, "12 groups; that is too few for 13");
  refused({"--folds", "2", "--best", "lable_error", "--set", "solver.C=1,2"}, 64,
          "no metric \"lable_error\" on held-out data; choose one of loss, label_error");
  refused({"--folds", "2", "--best", "lable_error", "--set", "loss.normalize=true,false"}, 64,
          "no metric \"lable_error\" on held-out data; choose one of loss, label_error");
  refused({"--folds", "2", "--best", "lable_error", "--set", "features.bias=true,false"}, 64,
          "choose one of loss, label_error");
}

TEST_CASE("folds are refused before anything is trained if the dataset has a split validation") {
  const Scratch scratch;
  scratch.write("rows.svml", "1 1:1\n2 2:1\n1 1:2\n2 2:2\n");
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "rows.svml",
                                          "validation": "rows.svml"},
                              "features": "multiclass", "loss": "zero_one",
                              "oracle": "enumerate", "solver": "n_slack"})");
  check_refused(scratch, scratch.sculpt({"sweep", "x.json", "--folds", "2", "--output", "runs"}),
                78, {"the dataset has a split \"validation\""});
  CHECK(scratch.sculpt({"sweep", "x.json", "--best", "zero_one", "--output", "runs"}).exit == 64);
  CHECK(scratch.sculpt({"sweep", "x.json", "--best", "loss", "--output", "sweep"}).exit == 0);
}

TEST_CASE("a folder that holds other files or another sweep is refused and not changed") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const std::vector<std::string> quick{"--set", "solver.max_passes=1,2"};
  CHECK(scratch.sculpt(sweep_command("sweep", quick)).exit == 3);
  const Outcome again = scratch.sculpt(sweep_command("sweep", quick));
  CHECK(again.exit == 73);
  CHECK(contains(again.err, "--resume"));
  const Outcome other =
      scratch.sculpt(sweep_command("sweep", {"--set", "solver.max_passes=1,3", "--resume"}));
  CHECK(other.exit == 78);
  CHECK(contains(other.err, "the earlier sweep has"));
  CHECK(
      scratch.sculpt(sweep_command("sweep", {"--set", "solver.max_passes=1,3", "--force"})).exit ==
      3);
  fs::create_directory(scratch / "mine");
  scratch.write("mine/thesis.txt", "...");
  CHECK(scratch.sculpt(sweep_command("mine", with(quick, {"--force"}))).exit == 73);
  CHECK(scratch.read("mine/thesis.txt") == "...");
}

TEST_CASE("a run folder in place of an experiment leads to its config.json") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
  for (const char* command : {"sweep", "train"}) {
    CAPTURE(command);
    const Outcome outcome = scratch.sculpt({command, "run"});
    CHECK(outcome.exit == exit_missing);
    CHECK(contains(outcome.err, "its experiment is run/config.json"));
  }
  CHECK(contains(scratch.sculpt({"train", "."}).err, "name the experiment file itself"));
}
