// A solver and an objective that a program brings itself, in one file each (newcomers/): they are
// listed, checked, trained, written and read as those of the host are.

#include <doctest/doctest.h>

#include <cmath>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

Outcome newcomers(const Scratch& scratch, std::vector<std::string> words) {
  words.insert(words.begin(), SCULPT_NEWCOMERS);
  return scratch.run(words, {{"SCULPT_PLUGIN_PATH", SCULPT_BUILT_PLUGINS}});
}

// The least P of two words of one letter, (1, 0) for a and (0, 1) for b. By symmetry the weights
// are u where a label meets its input and -u where not:
//   P = 2 u^2 + C log(1 + exp(-2 u)),   least at u = C/2 / (1 + exp(2 u))
double least_log_loss(double C) {
  double low = 0;
  double high = C / 2;
  for (int k = 0; k < 200; ++k) {
    const double u = (low + high) / 2;
    (u < C / 2 / (1 + std::exp(2 * u)) ? low : high) = u;
  }
  return 2 * low * low + C * std::log(1 + std::exp(-2 * low));
}

}  // namespace

TEST_CASE("a solver and an objective of one file each train to a certificate") {
  const Scratch scratch;
  write_small_experiment(scratch);
  scratch.write("words.txt", "1 0 0 a 0 1 0\n2 0 0 b 0 0 1\n");
  for (const double C : {0.5, 10.0}) {
    const Outcome outcome =
        newcomers(scratch, {"train", "small.json", "--output", "run", "--force", "--set",
                            R"(solver={"use": "downhill", "relative_gap": 1e-6})", "--set",
                            "solver.C=" + std::to_string(C), "--set",
                            R"(dataset={"use": "letters", "train": "words.txt"})"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    CHECK(says(outcome.err, "minimize 1/2 ||w||^2 + C/n sum of log-losses, C = "));
    CHECK(scratch.started("run")["formulation"]["kind"] == "log_loss");
    const Json event = scratch.finished("run");
    CHECK(event["certified"] == true);
    const double least = least_log_loss(C);
    CHECK(event["dual"].get<double>() <= least * (1 + 1e-12));
    CHECK(event["primal"].get<double>() >= least * (1 - 1e-12));
    CHECK(event["primal"].get<double>() == doctest::Approx(least).epsilon(1e-5));
  }
  const Outcome described = newcomers(scratch, {"describe", "run"});
  CHECK(says(described.out, "1/2 ||w||^2 + C/n sum of log-losses, C = 10"));
  CHECK(newcomers(scratch, {"predict", "run", "words.txt"}).out == "a\nb\n");
}

TEST_CASE("a solver of one file is stopped as those of the host are, with what it has") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = newcomers(
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
  CHECK(newcomers(scratch, {"describe", "run"}).exit == 0);
}

TEST_CASE("a model of an objective that a program does not know is refused by name") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(newcomers(scratch, {"train", "small.json", "--output", "run", "--set", "solver=downhill"})
              .exit == 0);
  const Outcome described = scratch.sculpt({"describe", "run"});
  CHECK(described.exit == exit_data);
  CHECK(says(described.err, "the objective \"log_loss\" is not known to this program"));
  const Outcome verified = newcomers(scratch, {"verify", "run"});
  CHECK(verified.exit == exit_config);
  CHECK(says(verified.err, "verify recomputes slacks of structural hinges"));
}

TEST_CASE("a solver of one file is listed, and its parameters are checked") {
  const Scratch scratch;
  write_small_experiment(scratch);
  CHECK(says(newcomers(scratch, {"describe"}).out, "downhill"));
  CHECK(says(newcomers(scratch, {"describe", "downhill"}).out, "Price of the mean log-loss."));
  CHECK_FALSE(says(scratch.sculpt({"describe"}).out, "downhill"));
  const Outcome misspelt =
      newcomers(scratch, {"train", "small.json", "--set", R"(solver={"use": "downhill", "c": 1})"});
  CHECK(misspelt.exit == exit_config);
  CHECK(says(misspelt.err, "did you mean \"C\""));
}

TEST_CASE("what a solver needs and a problem lacks is refused before there is a run folder") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto refused = [&](const std::string& set, const std::string& text) {
    check_refused(
        scratch,
        newcomers(scratch, {"train", "small.json", "--set", "solver=downhill", "--set", set}),
        exit_config, {text});
  };
  refused("oracle=icm",
          "downhill needs expectations of features, and icm tells of no probabilities "
          "(sculpt.map-expectation/0); take an oracle or a map_solver that offers them");
  refused(R"(features={"use": "chain", "nonnegative": ["transitions"]})",
          "downhill makes weights that may be negative");
  refused("audit_with=viterbi",
          "audit_with: an audit is of structural hinges, and the solver minimizes 1/2 ||w||^2 + "
          "C/n sum "
          "of log-losses");
}
