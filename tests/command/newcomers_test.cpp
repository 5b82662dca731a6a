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
    const double least = min_log_loss(C);
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

TEST_CASE("a solver of one file goes on from its checkpoint to the bytes of a run in one") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto train = [&](const std::string& run, const std::string& passes) {
    return newcomers(scratch, {"train", "small.json", "--output", run, "--resume", "--set",
                               R"(solver={"use": "downhill", "C": 100, "relative_gap": 0})",
                               "--set", "solver.max_passes=" + passes});
  };
  REQUIRE(train("whole", "30").exit == 3);
  REQUIRE(train("parts", "7").exit == 3);
  CHECK(scratch.finished("parts")["checkpoint_written"] == true);
  const Outcome second = train("parts", "30");
  INFO(second.err);
  REQUIRE(second.exit == 3);
  CHECK(says(second.err, "going on behind pass 7"));
  CHECK(weights_of(scratch.read("parts/model.sculpt")) ==
        weights_of(scratch.read("whole/model.sculpt")));
  CHECK(scratch.finished("parts")["dual"] == scratch.finished("whole")["dual"]);
}

TEST_CASE("a solver that errs is told so in its own name, and leaves no model") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto says_of = [&](const std::string& way, const std::string& text) {
    const Outcome outcome =
        newcomers(scratch, {"train", "small.json", "--output", way, "--set",
                            R"(solver={"use": "astray", "way": ")" + way + "\"}"});
    INFO(outcome.err);
    CHECK(outcome.exit == 70);
    CHECK(says(outcome.err, text));
    CHECK_FALSE(fs::exists(scratch / (way + "/model.sculpt")));
  };
  says_of("short", "the result of the solver astray is wrong: it has ");
  says_of("not_finite", "the result of the solver astray is wrong: weight 1 is NaN");
  says_of("dual", "the result of the solver astray is wrong: its dual 2 exceeds its primal_high 1");
  says_of("reached",
          "the result of the solver astray is wrong: it claims to have reached its target, stopped "
          "by max_passes, not certified");
  says_of("target",
          "the result of the solver astray is wrong: it claims to have reached a relative gap of "
          "0.001 at one of 0.5");
  says_of("throws", "sculpt: the solver astray failed: the matrix is singular");
  says_of("beyond", "the solver asks about example 2 of 2, counted from 0");
  says_of("passes", "a report of the solver astray is wrong: it is of pass 0, behind pass 0");
  says_of(
      "objective",
      "astray: what it minimizes, {\"kind\":\"strange\"}, could not be read from a model again: "
      "the objective \"strange\" is not known to this program");
  CHECK_FALSE(fs::exists(scratch / "objective"));  // before there is a run
}

TEST_CASE("a model of an objective that a program does not know is refused by name") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(newcomers(scratch, {"train", "small.json", "--output", "run", "--set", "solver=downhill"})
              .exit == 0);
  const Outcome described = scratch.sculpt({"describe", "run"});
  CHECK(described.exit == exit_data);
  CHECK(described.out.empty());
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
          "downhill needs expectations of features, and icm offers no probabilities "
          "(sculpt.map-expectation/0); take an oracle or a map_solver that offers them");
  refused(R"(features={"use": "chain", "nonnegative": ["transitions"]})",
          "downhill makes weights that may be negative");
  refused("audit_with=viterbi",
          "audit_with: an audit is of structural hinges, and the solver minimizes 1/2 ||w||^2 + "
          "C/n sum "
          "of log-losses");
}
