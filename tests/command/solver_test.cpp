// The files and the messages of runs of perceptron, subgradient and frank_wolfe.

#include <doctest/doctest.h>

#include <sstream>
#include <thread>

#include "command/host_process.hpp"
#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

Outcome train_with_solver(const Scratch& scratch, const std::string& solver,
                          const std::string& output, std::vector<std::string> more = {}) {
  const bool noisy = fs::exists(scratch / "noisy.json");
  more.insert(more.begin(), {"train", noisy ? "noisy.json" : "small.json", "--output", output,
                             "--set", "solver=" + solver});
  Outcome outcome = scratch.sculpt(more);
  INFO(outcome.err);
  REQUIRE((outcome.exit == 0 || outcome.exit == 3));
  return outcome;
}

const char* const perceptron = R"({"use": "perceptron", "max_passes": 4})";
const char* const subgradient = R"({"use": "subgradient", "C": 10, "max_passes": 4})";

}  // namespace

TEST_CASE("a run without a dual reports no gap and no certificate in all commands") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  for (const char* solver : {perceptron, subgradient}) {
    const Outcome outcome = train_with_solver(scratch, solver, "run", {"--force"});
    CHECK(outcome.exit == 3);
    CHECK(contains(outcome.out, "relative gap    none: the solver proves no dual"));
    CHECK_FALSE(contains(outcome.out, "at least"));
    const char* const moved = solver == perceptron ? "mistakes" : "violated";
    const char* const other = solver == perceptron ? "violated" : "mistakes";
    CHECK(contains(outcome.err, moved));
    CHECK_FALSE(contains(outcome.err, other));
    const Json event = scratch.finished("run");
    CHECK(event["primal"].is_number());
    CHECK(event["primal_high"] == event["primal"]);
    for (const char* key : {"dual", "gap", "relative_gap"}) CHECK(event[key].is_null());
    CHECK(event["certified"] == false);
    CHECK(event["stopped_by"] == "max_passes");
    std::istringstream lines(scratch.read("run/events.jsonl"));
    int passes = 0;
    for (std::string line; std::getline(lines, line);) {
      const Json pass = Json::parse(line);
      if (pass["event"] != "pass") continue;
      ++passes;
      CHECK(pass[moved].is_number());
      CHECK_FALSE(pass.contains(other));
      CHECK(pass["dual"].is_null());
    }
    CHECK(passes == 4);
    const Outcome described = scratch.sculpt({"describe", "run"});
    CHECK(described.exit == 0);
    CHECK_FALSE(contains(described.out, "at least"));
    const Outcome verified = scratch.sculpt({"verify", "run"});
    CHECK(verified.exit == 3);
    CHECK(contains(verified.out, "primal verified; the solver proves no dual"));
    CHECK(scratch.sculpt({"evaluate", "run", "noisy.txt"}).exit == 0);
  }
}

TEST_CASE("a run that asks one example at a time prints its objective and no advice on threads") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const std::string text = "1/2 ||w||^2 + C/n sum of slacks, margin rescaling, C = 1";
  const auto started = [&](const std::string& keys) {
    const std::string solver = R"({"use": )" + keys + "}";
    return train_with_solver(scratch, solver, "run", {"--force", "--set", "oracle=enumerate"});
  };
  const Outcome learned = started(R"("perceptron", "max_passes": 300, "loss_weight": 1000)");
  CHECK(contains(learned.err, "the solver minimizes no objective; the primal is " + text + "\n"));
  CHECK_FALSE(contains(learned.err, "lambda"));
  CHECK(contains(scratch.sculpt({"describe", "run"}).out, "measured by     " + text));
  const Outcome minimized = started(R"("subgradient", "max_passes": 300)");
  CHECK(contains(minimized.err, "minimize " + text + "\n"));
  CHECK(contains(scratch.sculpt({"describe", "run"}).out, "minimizes       " + text));
  const Outcome frank_wolfe =
      started(R"("frank_wolfe", "batch": 1, "cache": 0, "relative_gap": 1e-6)");
  for (const Outcome* outcome : {&learned, &minimized, &frank_wolfe}) {
    INFO(outcome->out);
    CHECK_FALSE(contains(outcome->out, "more threads, which share its calls"));
  }
}

TEST_CASE("threads: a run without a dual that a limit ended is resumed under a higher limit") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  for (const char* solver : {perceptron, subgradient}) {
    for (const char* folder : {"plain", "run"}) fs::remove_all(scratch / folder);
    train_with_solver(scratch, solver, "plain", {"--set", "solver.max_passes=9", "--threads", "1"});
    train_with_solver(scratch, solver, "run");
    train_with_solver(scratch, solver, "run",
                      {"--set", "solver.max_passes=9", "--resume", "--threads", "3"});
    CHECK(scratch.read("plain/model.sculpt") == scratch.read("run/model.sculpt"));
    const Outcome again =
        train_with_solver(scratch, solver, "run", {"--set", "solver.max_passes=9", "--resume"});
    CHECK(contains(again.err, "has already ended, stopped by max_passes"));
    CHECK(again.exit == 3);
  }
}

TEST_CASE("a run that was stopped before its first pass prints that it has no gap") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome =
      train_with_solver(scratch, R"({"use": "n_slack", "max_seconds": 0})", "run");
  INFO(outcome.out);
  CHECK(contains(outcome.out,
                 "relative gap    none, target 0.1 % not reached: the run stopped before one full "
                 "pass at one w"));
  CHECK(contains(outcome.out, "to continue     raise max_seconds in: sculpt train "));
  CHECK(contains(outcome.out, " --resume\n"));
  CHECK_FALSE(contains(outcome.out, "larger relative_gap"));
}

TEST_CASE("a run that a limit ended before its target prints the command that continues it") {
  const Scratch scratch;
  write_small_experiment(scratch);
  // An option that sets the limit must be changed. A limit of the file is overridden by an option.
  const Outcome by_option = scratch.sculpt(
      {"train", "small.json", "--set", "solver.max_passes=1", "--output", "max_passes"});
  INFO(by_option.out);
  CHECK(contains(by_option.out, "to continue     raise max_passes in: sculpt train "));
  std::string file = scratch.read("small.json");
  file.replace(file.find("\"C\": 10"), 7, "\"max_passes\": 1, \"C\": 10");
  scratch.write("small.json", file);
  const Outcome by_file = scratch.sculpt({"train", "small.json", "--output", "solver"});
  INFO(by_file.out);
  CHECK(contains(by_file.out, " --resume --set solver.max_passes=N, with a higher N\n"));
  CHECK(scratch
            .sculpt({"train", "small.json", "--output", "solver", "--resume", "--set",
                     "solver.max_passes=100"})
            .exit == 0);
}

TEST_CASE("frank_wolfe with a target of 0 ends when planes change nothing, and prints this") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const Outcome outcome =
      train_with_solver(scratch, R"({"use": "frank_wolfe", "C": 10, "relative_gap": 0})", "run");
  REQUIRE(scratch.finished("run")["stopped_by"] == "oracle_exhausted");
  INFO(outcome.out);
  const bool is_rounding = scratch.finished("run")["relative_gap"].get<double>() <= 1e-9;
  CHECK(contains(outcome.out,
                 is_rounding ? "the optimum up to rounding" : "new planes change nothing"));
  CHECK_FALSE(contains(outcome.out, "large features"));
}

TEST_CASE("a perceptron without mistakes ends without a certificate") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome =
      train_with_solver(scratch, R"({"use": "perceptron", "max_passes": 10000})", "run");
  CHECK(outcome.exit == 3);
  CHECK(scratch.finished("run")["stopped_by"] == "no_mistakes");
}

TEST_CASE("keys and values that a solver does not support are refused") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto refused = [&](const std::string& solver, const std::vector<std::string>& texts) {
    const Outcome outcome =
        scratch.sculpt({"train", "small.json", "--output", "run", "--set", "solver=" + solver});
    check_refused(scratch, outcome, 78, texts);
  };
  refused(R"({"use": "perceptron", "relative_gap": 0.1})",
          {"unknown key \"relative_gap\" of perceptron", "\"max_passes\""});
  refused(R"({"use": "subgradient", "C": "inf"})", {"subgradient does not support hard margins"});
  refused(R"({"use": "perceptron", "C": "inf"})", {"perceptron does not support hard margins"});
  refused(R"({"use": "perceptron", "loss_weight": "inf"})", {"loss_weight", "inf"});
  refused(R"({"use": "frank_wolfe", "C": "inf"})", {"frank_wolfe does not support hard margins"});
  refused(R"({"use": "frank_wolfe", "slack_norm": 2, "step": "toward"})",
          {"\"step\": \"toward\"", "use \"pairwise\""});
}

TEST_CASE("frank_wolfe reaches its target with a certificate, and verify agrees") {
  const Scratch scratch;
  write_small_experiment(scratch);
  for (const char* averaging : {"false", "true"}) {
    const std::string solver = std::string(R"({"use": "frank_wolfe", "averaging": )") + averaging +
                               R"(, "relative_gap": 0.01})";
    CHECK(train_with_solver(scratch, solver, "run", {"--force"}).exit == 0);
    CHECK(scratch.finished("run")["certified"] == true);
    CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
  }
}
