// The oracle of a task works with its own loss and features, unless its class says that it takes
// others. Every command that binds it refuses the rest.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string points = "0 1.5\n1 0.2\n2 -1\n0 2\n1 -0.1\n2 -2\n0 -0.5\n";

// Writes the experiment in which every component is `task`.
void write_experiment_of(const Scratch& scratch, const std::string& task) {
  scratch.write("points.txt", points);
  const Json experiment = {{"name", "run"},
                           {"plugin_path", {SCULPT_TEST_PLUGINS}},
                           {"dataset", {{"use", task}, {"train", "points.txt"}}},
                           {"features", task},
                           {"loss", task},
                           {"oracle", task},
                           {"solver", {{"use", "n_slack"}, {"C", 5}}}};
  scratch.write("points.json", experiment.dump());
}

Outcome run_with(const Scratch& scratch, const std::string& command,
                 const std::vector<std::string>& settings) {
  std::vector<std::string> words = {command, "points.json"};
  if (command == "train") words.insert(words.end(), {"--force", "--output", "run"});
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return scratch.sculpt(words);
}

Json certified_run(const Scratch& scratch, const std::vector<std::string>& settings) {
  const Outcome outcome = run_with(scratch, "train", settings);
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json event = scratch.finished("run");
  CHECK(event["certified"] == true);
  return event;
}

void check_refused(const Scratch& scratch, const std::vector<std::string>& settings,
                   const std::string& sentence) {
  const Outcome outcome = run_with(scratch, "train", settings);
  CHECK(outcome.exit == exit_config);
  INFO(outcome.err);
  CHECK(outcome.err.find(sentence) != std::string::npos);
}

const std::map<std::string, std::string> with_plugins = {
    {"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}};

// The commands that use a finished run bind its oracle again, with a loss and without one.
void check_other_commands(const Scratch& scratch) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"predict", "run", "points.txt"},
        {"evaluate", "run", "points.txt"},
        {"verify", "run"}}) {
    CAPTURE(words.front());
    const Outcome outcome = scratch.sculpt(words, with_plugins);
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
  }
}

}  // namespace

TEST_CASE("the oracle of a task refuses other losses and features, and names its own") {
  const Scratch scratch;
  write_experiment_of(scratch, "closed");
  certified_run(scratch, {});
  check_other_commands(scratch);
  const std::string remedy =
      "to org.test.closed, or to LIBRARY.so#org.test.closed if its library is not on plugin_path";
  for (const char* loss : {"zero_one", "distance"}) {
    check_refused(scratch, {std::string("loss=") + loss},
                  "closed: works only with its own loss; set loss " + remedy);
  }
  check_refused(scratch, {"features=affine"},
                "closed: works only with its own features; set features " + remedy);
}

TEST_CASE("check refuses a task with another loss") {
  const Scratch scratch;
  write_experiment_of(scratch, "closed");
  CHECK(run_with(scratch, "check", {}).exit == 0);
  const Outcome outcome = run_with(scratch, "check", {"loss=distance"});
  CHECK(outcome.exit == exit_config);
  CHECK(outcome.err.find("works only with its own loss") != std::string::npos);
}

TEST_CASE("a task that takes other losses and features trains certified with them") {
  const Scratch scratch;
  write_experiment_of(scratch, "open");
  const double own = certified_run(scratch, {})["primal"];
  const double same_loss = certified_run(scratch, {"loss=zero_one"})["primal"];
  CHECK(same_loss == doctest::Approx(own).epsilon(1e-3));
  const double other_loss = certified_run(scratch, {"loss=distance"})["primal"];
  CHECK(other_loss > 1.1 * own);
  check_other_commands(scratch);
  const double other_features =
      certified_run(scratch, {"loss=distance", "features=affine"})["primal"];
  CHECK(other_features < 0.97 * other_loss);
  check_other_commands(scratch);
}

TEST_CASE("a task that takes other losses may still refuse some of them") {
  const Scratch scratch;
  write_experiment_of(scratch, "open");
  check_refused(scratch, {"loss=hamming"}, "open: cannot use hamming; set loss to zero_one");
}
