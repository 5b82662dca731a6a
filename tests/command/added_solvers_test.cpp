// Solvers and an objective that a program adds to the host, each in one file (added_solvers/). The
// host lists, checks and runs them like its own, and refuses wrong results.

#include <doctest/doctest.h>

#include <cmath>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Runs the host with the added solvers.
Outcome run_added_solvers(const Scratch& scratch, std::vector<std::string> words) {
  words.insert(words.begin(), SCULPT_ADDED_SOLVERS);
  return scratch.run(words, {{"SCULPT_PLUGIN_PATH", SCULPT_BUILT_PLUGINS}});
}

// The minimum of P for two words of one letter, (1, 0) for a and (0, 1) for b. By symmetry a weight
// is u if the label belongs to the input, else -u:
//   P = 2 u^2 + C log(1 + exp(-2 u)),   minimal at u = C/2 / (1 + exp(2 u))
double min_log_loss(double C) {
  double low = 0;
  double high = C / 2;
  for (int k = 0; k < 200; ++k) {
    const double u = (low + high) / 2;
    (u < C / 2 / (1 + std::exp(2 * u)) ? low : high) = u;
  }
  return 2 * low * low + C * std::log(1 + std::exp(-2 * low));
}

}  // namespace

TEST_CASE("an added solver reaches the optimum of an added objective with a certificate") {
  const Scratch scratch;
  write_small_experiment(scratch);
  scratch.write("words.txt", "1 0 0 a 0 1 0\n2 0 0 b 0 0 1\n");
  for (const double C : {0.5, 10.0}) {
    const Outcome outcome =
        run_added_solvers(scratch, {"train", "small.json", "--output", "run", "--force", "--set",
                                    R"(solver={"use": "downhill", "relative_gap": 1e-6})", "--set",
                                    "solver.C=" + std::to_string(C), "--set",
                                    R"(dataset={"use": "letters", "train": "words.txt"})"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    CHECK(contains(outcome.err, "minimize 1/2 ||w||^2 + C/n sum of log-losses, C = "));
    CHECK(scratch.started("run")["formulation"]["kind"] == "plain_log_loss");
    const Json event = scratch.finished("run");
    CHECK(event["certified"] == true);
    const double optimum = min_log_loss(C);
    CHECK(event["dual"].get<double>() <= optimum * (1 + 1e-12));
    CHECK(event["primal"].get<double>() >= optimum * (1 - 1e-12));
    CHECK(event["primal"].get<double>() == doctest::Approx(optimum).epsilon(1e-5));
  }
  const Outcome described = run_added_solvers(scratch, {"describe", "run"});
  CHECK(contains(described.out, "1/2 ||w||^2 + C/n sum of log-losses, C = 10"));
  CHECK(run_added_solvers(scratch, {"predict", "run", "words.txt"}).out == "a\nb\n");
}

TEST_CASE("a deprecated key of a solver is warned about") {
  const Scratch scratch;
  write_small_experiment(scratch);
  for (const std::string steps : {"0", "7"}) {
    const Outcome outcome = run_added_solvers(
        scratch, {"train", "small.json", "--output", "run", "--force", "--set",
                  R"(solver={"use": "downhill"})", "--set", "solver.most_steps=" + steps});
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    CHECK(contains(outcome.err,
                   "the key \"most_steps\" of downhill is deprecated: Set "
                   "max_passes instead.") == (steps == "7"));
  }
}

TEST_CASE("an added solver stops at max_seconds and leaves a model") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = run_added_solvers(
      scratch,
      {"train", "small.json", "--output", "run", "--set",
       R"(solver={"use": "downhill", "C": 1e6, "relative_gap": 0, "max_passes": 100000000})",
       "--set", "solver.max_seconds=0.2"});
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  const Json event = scratch.finished("run");
  CHECK(event["stopped_by"] == "max_seconds");
  CHECK(event["passes"].get<std::int64_t>() > 0);
  CHECK(event["primal"].get<double>() >= event["dual"].get<double>());
  CHECK(run_added_solvers(scratch, {"describe", "run"}).exit == 0);
}

TEST_CASE("an added solver resumes from its checkpoint to the weights of a single run") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto train = [&](const std::string& run, const std::string& passes) {
    return run_added_solvers(scratch, {"train", "small.json", "--output", run, "--resume", "--set",
                                       R"(solver={"use": "downhill", "C": 100, "relative_gap": 0})",
                                       "--set", "solver.max_passes=" + passes});
  };
  REQUIRE(train("whole", "30").exit == 3);
  REQUIRE(train("parts", "7").exit == 3);
  CHECK(scratch.finished("parts")["checkpoint_written"] == true);
  const Outcome second = train("parts", "30");
  INFO(second.err);
  REQUIRE(second.exit == 3);
  CHECK(contains(second.err, "resuming after pass 7"));
  CHECK(weights_of(scratch.read("parts/model.sculpt")) ==
        weights_of(scratch.read("whole/model.sculpt")));
  CHECK(scratch.finished("parts")["dual"] == scratch.finished("whole")["dual"]);
}

TEST_CASE("a wrong result of an added solver is refused with its name, and leaves no model") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto check_message = [&](const std::string& way, const std::string& text) {
    const Outcome outcome =
        run_added_solvers(scratch, {"train", "small.json", "--output", way, "--set",
                                    R"(solver={"use": "astray", "way": ")" + way + "\"}"});
    INFO(outcome.err);
    CHECK(outcome.exit == 70);
    CHECK(contains(outcome.err, text));
    CHECK_FALSE(fs::exists(scratch / (way + "/model.sculpt")));
  };
  check_message("short", "the result of the solver astray is wrong: it has ");
  check_message("not_finite", "the result of the solver astray is wrong: weight 1 is NaN");
  check_message("dual",
                "the result of the solver astray is wrong: its dual 2 exceeds its primal_high 1");
  check_message("reached",
                "the result of the solver astray is wrong: it claims to have reached its target, "
                "but it was stopped by max_passes, not certified");
  check_message("target",
                "the result of the solver astray is wrong: it claims to have reached the target "
                "0.001, but its relative gap is 0.5");
  check_message("throws", "sculpt: the solver astray failed: the matrix is singular");
  check_message("beyond", "the solver queries example 2 of 2, counted from 0");
  check_message("passes",
                "a report of the solver astray is wrong: its pass is 0, but the previous report "
                "was of pass 0");
  check_message("objective",
                "astray: its objective {\"kind\":\"strange\"} cannot be read back from a model: "
                "the objective \"strange\" is not known to this program");
  CHECK_FALSE(fs::exists(scratch / "objective"));  // refused before the run
}

TEST_CASE("a model of an unknown objective is refused with the name of the objective") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(run_added_solvers(scratch,
                            {"train", "small.json", "--output", "run", "--set", "solver=downhill"})
              .exit == 0);
  const Outcome described = scratch.sculpt({"describe", "run"});
  CHECK(described.exit == exit_data);
  CHECK(described.out.empty());
  CHECK(contains(described.err, "the objective \"plain_log_loss\" is not known to this program"));
  const Outcome verified = run_added_solvers(scratch, {"verify", "run"});
  CHECK(verified.exit == exit_config);
  CHECK(contains(verified.err,
                 "verify needs an objective of structural hinges, log-losses or moments"));
}

TEST_CASE("an added solver is listed, and its parameters are checked") {
  const Scratch scratch;
  write_small_experiment(scratch);
  CHECK(contains(run_added_solvers(scratch, {"describe"}).out, "downhill"));
  CHECK(contains(run_added_solvers(scratch, {"describe", "downhill"}).out,
                 "Price of the mean log-loss."));
  CHECK_FALSE(contains(scratch.sculpt({"describe"}).out, "downhill"));
  const Outcome misspelt = run_added_solvers(
      scratch, {"train", "small.json", "--set", R"(solver={"use": "downhill", "c": 1})"});
  CHECK(misspelt.exit == exit_config);
  CHECK(contains(misspelt.err, "did you mean \"C\""));
}

TEST_CASE("a problem that lacks what an added solver needs is refused before the run") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto refused = [&](const std::string& set, const std::string& text) {
    check_refused(scratch,
                  run_added_solvers(
                      scratch, {"train", "small.json", "--set", "solver=downhill", "--set", set}),
                  exit_config, {text});
  };
  refused("oracle=icm",
          "downhill needs expectations of features, but icm offers no probabilities "
          "(sculpt.map-expectation/1); viterbi, enumerate, belief_propagation, grammar");
  refused(R"(features={"use": "chain", "nonnegative": ["transitions"]})",
          "downhill may give negative weights");
  refused("audit_with=viterbi",
          "\"audit_with\" needs an objective of structural hinges, but the solver minimizes 1/2 "
          "||w||^2 + C/n sum of log-losses");
}
