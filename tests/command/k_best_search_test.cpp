// Slack rescaling and slack_norm 2 without a frontier: the k best outputs prove which output
// violates its margin most.

#include <doctest/doctest.h>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;
using doctest::Approx;

namespace {

constexpr int exit_reached = 0;
constexpr int exit_not_reached = 3;

// The event "finished" of a run. `loss`: JSON.
Json train_with(const Scratch& scratch, const std::string& loss, const std::string& oracle,
                const std::vector<std::string>& more, int expected_exit) {
  std::vector<std::string> words = {"train", "noisy.json", "--output", "run", "--force"};
  for (const std::string& setting :
       {"loss=" + loss, "oracle=" + oracle, std::string("solver.relative_gap=1e-5")}) {
    words.insert(words.end(), {"--set", setting});
  }
  for (const std::string& setting : more) words.insert(words.end(), {"--set", setting});
  const Outcome outcome = scratch.sculpt(with_test_plugins(words));
  INFO(outcome.err);
  REQUIRE(outcome.exit == expected_exit);
  return scratch.finished("run");
}

const std::vector<std::vector<std::string>> formulations = {
    {"solver.rescaling=slack", "solver.C=3"},
    {"solver.rescaling=slack", "solver.slack_norm=2", "solver.C=3"},
    {"solver.slack_norm=2", "solver.C=3"}};

}  // namespace

TEST_CASE("with the k best a loss without counts has the optimum that a frontier finds") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "30");
  for (const std::vector<std::string>& formulation : formulations) {
    CAPTURE(formulation.back());
    const Json exact = train_with(scratch, "hamming", "viterbi", formulation, exit_reached);
    for (const std::string oracle : {"viterbi", "enumerate"}) {
      const Json listed = train_with(scratch, "parts_loss", oracle, formulation, exit_reached);
      CHECK(listed["certified"] == true);
      CHECK(listed["primal"].get<double>() == Approx(exact["primal"].get<double>()).epsilon(2e-5));
      CHECK(scratch.sculpt({"verify", "run"}).exit == exit_reached);
    }
  }
}

TEST_CASE("without a list of the k best the bounds leave a gap") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "30");
  std::vector<std::string> slack = formulations[0];
  slack.emplace_back("solver.max_k_best=0");
  slack.emplace_back("solver.max_passes=200");
  const Json unproved = train_with(scratch, R"({"use": "parts_loss", "uneven": 0.3})", "viterbi",
                                   slack, exit_not_reached);
  slack[2] = "solver.max_k_best=1000";
  const Json proved = train_with(scratch, R"({"use": "parts_loss", "uneven": 0.3})", "viterbi",
                                 slack, exit_reached);
  CHECK(unproved["relative_gap"].get<double>() > 1e-4);
  CHECK(proved["primal"].get<double>() <= unproved["primal"].get<double>() * (1 + 1e-5));
  CHECK(proved["dual"].get<double>() <= unproved["primal"].get<double>());
}

TEST_CASE("threads: lists of the k best give the same bytes for one thread and for three") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "30");
  std::string first;
  for (const std::string threads : {"1", "3"}) {
    std::vector<std::string> settings = formulations[0];
    settings.push_back("threads=" + threads);
    train_with(scratch, R"({"use": "parts_loss", "uneven": 0.3})", "viterbi", settings,
               exit_reached);
    const std::string model = scratch.read("run/model.sculpt");
    if (first.empty()) first = model;
    CHECK(model == first);
  }
}
