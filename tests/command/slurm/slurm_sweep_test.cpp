// sculpt sweep --slurm: a cluster that kills, requeues and reorders gives the table of one machine.
//
// The cluster is fake_slurm.py. It runs the tasks here.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

using Words = std::vector<std::string>;

const Words grid{"--set", "solver.C=3,30,300", "--set", "solver.batch=0,16", "--folds", "2"};

Words operator+(Words list, const Words& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

// A login node: sbatch and scontrol are on the PATH. What it submits waits until run() is called.
class FakeCluster {
 public:
  explicit FakeCluster(const Scratch& scratch) : scratch_(scratch) {
    fs::create_directories(scratch / "cluster/bin");
    fs::create_directories(scratch / "cluster/state");
    for (const char* name : {"sbatch", "scontrol", "cluster"}) {
      fs::create_symlink(fs::path(SCULPT_TEST_SOURCE) / "tests/command/slurm/fake_slurm.py",
                         scratch / "cluster/bin" / name);
    }
    environment_["PATH"] =
        (scratch / "cluster/bin").string() + ":" + std::string(std::getenv("PATH"));
    environment_["FAKE_SLURM"] = scratch / "cluster/state";
  }

  Outcome sculpt(const Words& words) const { return scratch_.sculpt(words, environment_); }
  Outcome run_program(const Words& words) const { return scratch_.run(words, environment_); }

  // Runs all jobs. Returns what happened.
  Json run(int seed, int kills) const {
    const Outcome outcome = scratch_.run(
        {scratch_ / "cluster/bin/cluster", std::to_string(seed), std::to_string(kills)},
        environment_);
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    return Json::parse(outcome.out);
  }

  // The jobs that were submitted.
  std::vector<Json> jobs() const {
    std::vector<Json> found;
    for (const auto& entry : fs::directory_iterator(scratch_ / "cluster/state")) {
      if (entry.path().extension() != ".json") continue;
      found.push_back(
          Json::parse(scratch_.read("cluster/state/" + entry.path().filename().string())));
    }
    std::sort(found.begin(), found.end(),
              [](const Json& a, const Json& b) { return a["id"] < b["id"]; });
    return found;
  }

  // The next sbatch of this script fails.
  void refuse(const std::string& script) const { scratch_.write("cluster/state/refuse", script); }
  void accept() const { fs::remove(scratch_ / "cluster/state/refuse"); }

 private:
  const Scratch& scratch_;
  std::map<std::string, std::string> environment_;
};

}  // namespace

TEST_CASE("threads: an array job with killed tasks gives the table and the model of one machine") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.02");
  // A cell takes some tenths of a second, as long as a task lives that is harmed.
  const Words all = grid + Words{"--best", "loss", "--set", "solver.relative_gap=1e-7"};
  REQUIRE(scratch.sculpt(sweep_command("plain", all)).exit == 0);
  const FakeCluster cluster(scratch);
  std::map<std::string, int> counts;
  int most_at_a_time = 0;
  constexpr std::array harms = {"terminated", "lost", "requeued", "failed", "cancelled"};
  // When a task is harmed is a matter of time, so a fast machine needs more seeds.
  const auto is_harmed_enough = [&] {
    return counts["terminated"] + counts["lost"] >= 10 &&
           std::all_of(harms.begin(), harms.end(),
                       [&](const char* harm) { return counts[harm] > 0; });
  };
  constexpr int most_seeds = 15;
  for (int seed = 1; seed <= most_seeds && !is_harmed_enough(); ++seed) {
    CAPTURE(seed);
    const std::string sweep = "it's sweep " + std::to_string(seed) + " at 100%";
    const Words command = sweep_command(sweep, all + Words{"--threads", "1"});
    Outcome collected;
    for (int round = 0; round < 20 && collected.exit != 0; ++round) {
      const Words submission{"--slurm", "--sbatch", "--time=00:10:00 --mem=1G"};
      const Outcome submitted =
          cluster.sculpt(command + submission + (round > 0 ? Words{"--resume"} : Words{}));
      INFO(submitted.err);
      REQUIRE(submitted.exit == 0);
      const Json happened = cluster.run(100 * seed + round, round < 4 ? 20 : 0);
      for (const auto& [key, value] : happened.items()) counts[key] += value.get<int>();
      most_at_a_time = std::max(most_at_a_time, happened["most_at_a_time"].get<int>());
      collected = cluster.sculpt(command + Words{"--collect"});
      INFO(collected.err);
      CHECK((collected.exit == 0 || collected.exit == 3));
      CHECK((collected.exit == 0) != contains(collected.err, "--slurm --resume"));
    }
    REQUIRE(collected.exit == 0);
    CHECK(sweep_table(scratch, sweep) == sweep_table(scratch, "plain"));
    CHECK(scratch.read(sweep + "/best/model.sculpt") == scratch.read("plain/best/model.sculpt"));
    // The planes of the next smaller C, from the same cell as on one machine.
    CHECK(scratch.started(sweep + "/cells/002.fold0")["warm_start"]["planes"] ==
          scratch.started("plain/cells/002.fold0")["warm_start"]["planes"]);
  }
  // The cluster did what the test is about.
  INFO(Json(counts).dump());
  CHECK(most_at_a_time == 3);
  CHECK(is_harmed_enough());
}

TEST_CASE("sweep --slurm submits an array for each place in the chains of C, and a last job") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const FakeCluster cluster(scratch);
  const Outcome outcome = cluster.sculpt(
      sweep_command("sweep", grid + Words{"--best", "loss", "--slurm", "--threads", "3", "--sbatch",
                                          "--time=01:00:00", "--sbatch", "--mem=4G"}));
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const std::vector<Json> jobs = cluster.jobs();
  REQUIRE(jobs.size() == 4);
  const std::vector<std::string> names{"cells-1.sh", "cells-2.sh", "cells-3.sh", "finish.sh"};
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const Json& options = jobs[k]["options"];
    CHECK(jobs[k]["script"] == (scratch / "sweep/slurm" / names[k]).string());
    CHECK(options["time"] == "01:00:00");
    CHECK(options["mem"] == "4G");
    CHECK(options["cpus-per-task"] == "3");
    CHECK(options["requeue"] == true);
    CHECK(options.value("array", "") == (k < 3 ? "0-3" : ""));
  }
  CHECK_FALSE(jobs[0]["options"].contains("dependency"));
  CHECK(jobs[1]["options"]["dependency"] == "aftercorr:101");
  CHECK(jobs[2]["options"]["dependency"] == "aftercorr:102");
  CHECK(jobs[3]["options"]["dependency"] == "afterany:101:102:103");
  CHECK(contains(outcome.out, "scancel 101 102 103 104"));
  CHECK(contains(outcome.out, "--collect"));
  CHECK(fs::is_empty(scratch / "sweep/cells"));

  const Outcome cold = cluster.sculpt(sweep_command("cold", grid + Words{"--cold", "--slurm"}));
  REQUIRE(cold.exit == 0);
  REQUIRE(cluster.jobs().size() == 6);
  CHECK(cluster.jobs()[4]["options"]["array"] == "0-11");
  CHECK(cluster.jobs()[5]["options"]["dependency"] == "afterany:105");
}

TEST_CASE("sweep --slurm --write-only submits nothing, and its script submit.sh submits all") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const FakeCluster cluster(scratch);
  const Words small{"--set", "solver.C=1,5", "--threads", "1"};
  REQUIRE(scratch.sculpt(sweep_command("plain", small)).exit == 0);
  // Without sbatch, as on a machine that shares the folder with a cluster.
  const Outcome outcome = scratch.sculpt(
      sweep_command("sweep", small + Words{"--slurm", "--write-only"}), {{"PATH", "/nowhere"}});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(contains(outcome.out, "bash "));
  CHECK(cluster.jobs().empty());
  REQUIRE(cluster.run_program({"bash", scratch / "sweep/slurm/submit.sh"}).exit == 0);
  CHECK(cluster.jobs().size() == 3);
  CHECK(cluster.run(1, 0)["failed"] == 0);
  const std::string markdown = scratch.read("sweep/sweep.md");  // that finish.sh wrote
  CHECK(contains(markdown, "| solver.C | seconds to gap |"));
  CHECK(sweep_table(scratch, "sweep") == sweep_table(scratch, "plain"));
  const Outcome again =
      cluster.sculpt(sweep_command("sweep", small + Words{"--slurm", "--resume"}));
  CHECK(again.exit == 0);
  CHECK(contains(again.err, "all cells have ended"));
  CHECK(cluster.jobs().size() == 3);
}

TEST_CASE("sweep --slurm with a mistake submits nothing and writes nothing") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const FakeCluster cluster(scratch);
  const auto refused = [&](const Words& more, int exit, const std::string& text) {
    CAPTURE(text);
    const Outcome outcome = cluster.sculpt(sweep_command("runs", more));
    check_refused(scratch, outcome, exit, {text});
    CHECK(cluster.jobs().empty());
  };
  const Words slurm{"--slurm", "--set", "solver.C=1,30"};
  refused(slurm + Words{"--set", "solver.D=1"}, 78, "unknown key \"D\"");
  refused(slurm + Words{"--folds", "49"}, 78, "too few for 49 folds");
  refused(slurm + Words{"--folds", "2", "--best", "lable_error"}, 64, "no metric \"lable_error\"");
  refused(slurm + Words{"--sbatch", "--array=0-3"}, 64, "the sweep sets --array itself");
  refused(slurm + Words{"--sbatch", "--mem=1G -d afterok:1"}, 64, "the sweep sets -d itself");
  refused(slurm + Words{"--sbatch", "-a3"}, 64, "the sweep sets -a itself");
  refused(slurm + Words{"--sbatch", "time=3"}, 64, "is no option of sbatch");
  refused(slurm + Words{"--sbatch", "--time=3\n--array=1"}, 64, "a script cannot hold line ends");
  refused(slurm + Words{"--threads", "0"}, 64, "give the number of threads of a cell");
  refused(slurm + Words{"--collect"}, 64, "--slurm and --collect do different things");
  refused({"--sbatch", "--time=1"}, 64, "--sbatch needs --slurm");
  refused({"--write-only"}, 64, "--write-only needs --slurm");
  refused({"--collect", "--resume"}, 64, "--collect takes the sweep as it is");
  refused({"--collect"}, 66, "there is no sweep");
  refused({"--cell", "000"}, 66, "there is no sweep");
  check_refused(scratch, scratch.sculpt(sweep_command("runs", slurm), {{"PATH", "/nowhere"}}), 69,
                {"--slurm needs the program sbatch"});
  check_refused(scratch, cluster.sculpt(sweep_command("runs\\1", slurm)), 64,
                {"in the name of a folder"});
}

TEST_CASE("if sbatch refuses a job, the message says what it said and how to cancel the others") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const FakeCluster cluster(scratch);
  cluster.refuse("cells-2.sh");
  const Words command = sweep_command("sweep", {"--set", "solver.C=1,5", "--slurm"});
  const Outcome outcome = cluster.sculpt(command);
  CHECK(outcome.exit == 69);
  CHECK(contains(outcome.err, "Invalid account"));
  CHECK(contains(outcome.err, "scancel 101\n"));
  CHECK(outcome.out.empty());
  cluster.accept();
  CHECK(contains(cluster.sculpt(command).err, "contains a sweep; give --resume"));
  CHECK(cluster.sculpt(command + Words{"--resume"}).exit == 0);
}

TEST_CASE("sweep --collect names the missing cells, reads no data, and counts no half cell") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const FakeCluster cluster(scratch);
  const Words small{"--set", "solver.C=1,30", "--hold-out", "0.3", "--best", "loss"};
  const Words command = sweep_command("sweep", small);
  REQUIRE(scratch.sculpt(sweep_command("plain", small)).exit == 0);
  REQUIRE(cluster.sculpt(command + Words{"--slurm"}).exit == 0);
  const auto collect = [&] {
    const Outcome outcome = scratch.sculpt(command + Words{"--collect"});
    CHECK(outcome.out == scratch.read("sweep/sweep.md"));
    return outcome;
  };
  const Outcome nothing = collect();
  CHECK(nothing.exit == 3);
  CHECK(contains(nothing.out, "1 of 1 missing"));
  CHECK(contains(nothing.out, "- 001 (solver.C=30): has not begun"));
  CHECK(contains(nothing.err, "2 of 2 cells are missing; "));
  CHECK_FALSE(contains(nothing.err, "best by"));

  const Outcome early = scratch.sculpt(command + Words{"--cell", "001"});
  CHECK(early.exit == 66);
  CHECK(contains(early.err, "001 starts with the planes of 000, which has not begun"));
  CHECK(scratch.sculpt(command + Words{"--cell", "002"}).exit == 64);
  REQUIRE(scratch.sculpt(command + Words{"--cell", "000"}).exit == 0);
  const Outcome best = scratch.sculpt(command + Words{"--cell", "best"});
  CHECK(best.exit == 66);
  CHECK(contains(best.err, "needs all cells, but 1 of 2 are missing"));
  REQUIRE(scratch.sculpt(command + Words{"--cell", "001"}).exit == 0);
  CHECK(scratch.sculpt(command + Words{"--collect", "--set", "solver.batch=0"}).exit == 78);

  // A cell that was killed behind its last event, before anyone saw it end.
  const std::string end = scratch.read("sweep/cells/001.json");
  scratch.write("sweep/cells/001.json", "{\"peak_bytes\":1}\n");
  CHECK(contains(collect().out, "- 001 (solver.C=30): was stopped or killed"));
  scratch.write("sweep/cells/001.json", "{\"ex");
  CHECK(collect().exit == 3);
  scratch.write("sweep/cells/001.json", end);
  const Outcome no_best = collect();
  CHECK(no_best.exit == 3);
  CHECK(contains(no_best.err, "the final run has not ended"));
  const std::size_t job_count = cluster.jobs().size();
  REQUIRE(cluster.sculpt(command + Words{"--slurm", "--resume"}).exit == 0);
  REQUIRE(cluster.jobs().size() == job_count + 1);
  CHECK_FALSE(cluster.jobs().back()["options"].contains("dependency"));
  REQUIRE(scratch.sculpt(command + Words{"--cell", "best"}).exit == 0);
  CHECK(contains(cluster.sculpt(command + Words{"--slurm", "--resume"}).err,
                 "all cells have ended, nothing is submitted"));
  CHECK(cluster.jobs().size() == job_count + 1);
  fs::remove(scratch / "noisy.txt");
  CHECK(collect().exit == 0);
  CHECK(sweep_table(scratch, "sweep") == sweep_table(scratch, "plain"));
}

TEST_CASE("a cell that fails ends its task, and the cells behind it run as on one machine") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const FakeCluster cluster(scratch);
  const auto command = [&](const std::string& output) {
    return with_test_plugins(
        {"sweep", "small.json", "--output", output, "--threads", "1", "--set", "solver.C=1,2",
         "--set", R"(loss=hamming,{"use":"crash","at":"add","how":"abort","example":1})"});
  };
  const Outcome plain = scratch.sculpt(command("plain"));
  REQUIRE(plain.exit == 69);
  REQUIRE(cluster.sculpt(command("sweep") + Words{"--slurm"}).exit == 0);
  const Json counts = cluster.run(5, 0);
  CHECK(counts["cancelled"] == 0);
  CHECK(counts["failed"] == 1);  // finish.sh, with the exit code of the table
  const Outcome collected = cluster.sculpt(command("sweep") + Words{"--collect"});
  CHECK(collected.exit == plain.exit);
  CHECK(contains(collected.err, "2 of 4 cells have failed; "));
  CHECK(sweep_table(scratch, "sweep") == sweep_table(scratch, "plain"));
  // Those that failed are submitted again.
  REQUIRE(cluster.sculpt(command("sweep") + Words{"--slurm", "--resume"}).exit == 0);
  CHECK(cluster.jobs().back()["options"].contains("dependency"));
  CHECK(contains(scratch.read("sweep/slurm/cells-1.sh"), "\n  001\n)"));
}

TEST_CASE("two tasks of one cell: the second one says so and changes nothing") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const FakeCluster cluster(scratch);
  const Words command =
      sweep_command("sweep", {"--set", "solver.use=subgradient", "--set", "solver.max_passes=1e9"});
  REQUIRE(cluster.sculpt(command + Words{"--slurm"}).exit == 0);
  Process first = scratch.start(command + Words{"--cell", "000"});
  REQUIRE(scratch.wait_for_event(first, "sweep/cells/000", "pass"));
  const Outcome second = scratch.sculpt(command + Words{"--cell", "000"});
  CHECK(second.exit == 73);
  CHECK(contains(second.err, "another process trains this cell"));
  CHECK(contains(scratch.sculpt(command + Words{"--collect"}).out,
                 "- 000 (solver.use=subgradient, "
                 "solver.max_passes=1e9): is "
                 "running"));
  const Outcome again = cluster.sculpt(command + Words{"--slurm", "--resume"});
  CHECK(contains(again.err, "cells of 1 chain are trained now"));
  CHECK(contains(again.err, "no other cell is left, nothing is submitted"));
  // Nobody can take the folder from the tasks.
  CHECK(scratch.sculpt(command + Words{"--force"}).exit == 73);
  CHECK(scratch.sculpt(command + Words{"--resume"}).exit == 73);
  first.signal(SIGTERM);
  const Outcome stopped = first.wait();
  CHECK(stopped.exit == 128 + SIGTERM);
  CHECK(contains(stopped.err, "the same command continues"));
  CHECK(contains(scratch.sculpt(command + Words{"--collect"}).out, "was stopped or killed"));
}
