// Runs on the embedded letter images: real data, from training to the model.

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// The words of `sculpt train configs/quickstart.json` on one fold, which has all 26 letters, and
// `more` words.
std::vector<std::string> quickstart_command(std::vector<std::string> more) {
  std::vector<std::string> words{
      "train",   std::string(SCULPT_TEST_SOURCE) + "/configs/quickstart.json",
      "--set",   "dataset.train_folds=[1]",
      "--set",   "dataset.test_folds=[0]",
      "--set",   "solver.C=50",
      "--force", "--output",
      "run"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("threads: on real words one, two and four threads give the same model byte for byte") {
  const Scratch scratch;
  for (const char* solver : {"n_slack", "one_slack"}) {
    CAPTURE(solver);
    std::string first;
    for (const char* threads : {"1", "2", "4"}) {
      const Outcome outcome =
          scratch.sculpt(quickstart_command({"--threads", threads, "--set", "solver.max_passes=15",
                                             "--set", std::string("solver.use=") + solver}));
      INFO(outcome.err);
      REQUIRE((outcome.exit == 0 || outcome.exit == 3));
      const std::string model = scratch.read("run/model.sculpt");
      if (first.empty()) first = model;
      CHECK(model == first);
    }
  }
}

TEST_CASE("threads: on real words both solvers certify the same optimum") {
  const Scratch scratch;
  double dual = 0;
  for (const char* solver : {"n_slack", "one_slack"}) {
    CAPTURE(solver);
    const Outcome outcome = scratch.sculpt(quickstart_command(
        {"--set", std::string("solver.use=") + solver, "--set", "solver.relative_gap=1e-4"}));
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    const Json event = scratch.finished("run");
    CHECK(event["primal"].get<double>() >= dual);  // weak duality, also across solvers
    CHECK(event["primal"].get<double>() >= event["dual"].get<double>());
    if (dual != 0) CHECK(event["dual"].get<double>() == doctest::Approx(dual).epsilon(2e-4));
    dual = event["dual"];
  }
}

TEST_CASE("threads: on real words viterbi is certified, and icm is not") {
  const Scratch scratch;
  CHECK(scratch.sculpt(quickstart_command({})).exit == 0);
  const Json exact = scratch.finished("run");
  CHECK(exact["certified"] == true);
  const Outcome outcome = scratch.sculpt(quickstart_command({"--set", "oracle=icm"}));
  CHECK(outcome.exit == 3);
  const Json inexact = scratch.finished("run");
  CHECK(inexact["certified"] == false);
  CHECK(inexact["primal_high"].is_null());
  // The planes that icm finds are valid, so their dual is a lower bound of the same optimum.
  CHECK(inexact["dual"].get<double>() <= exact["primal"].get<double>());
}

TEST_CASE("threads: a run that is interrupted leaves a valid model and its finished event") {
  const Scratch scratch;
  Process run =
      scratch.start(quickstart_command({"--set", "solver.C=100000", "--set",
                                        "solver.relative_gap=0", "--set", "solver.use=one_slack"}));
  REQUIRE(scratch.wait_for_event(run, "run", "pass"));
  run.signal(SIGINT);
  const Outcome outcome = run.wait();
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  const Json event = scratch.finished("run");
  CHECK(event["event"] == "finished");
  CHECK(event["stopped_by"] == "signal");
  CHECK(event["train"]["label_error"].is_number());  // measured after the signal
  CHECK(scratch
            .sculpt({"evaluate", "run",
                     std::string(SCULPT_TEST_SOURCE) + "/configs/data/words/words.txt"})
            .exit == 0);
}

TEST_CASE("threads: a run of n_slack that is interrupted in its batches keeps its weights so far") {
  const Scratch scratch;
  Process run = scratch.start(quickstart_command(
      {"--set", "solver.C=1e7", "--set", "solver.relative_gap=0", "--set", "solver.batch=1"}));
  REQUIRE(scratch.wait_for_event(run, "run", "pass"));
  run.signal(SIGTERM);
  const Outcome outcome = run.wait();
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  CHECK(scratch.finished("run")["stopped_by"] == "signal");
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  CHECK(std::any_of(w.begin(), w.end(), [](double weight) { return weight != 0; }));
}

TEST_CASE("threads: nonnegative transitions are not negative at the optimum of both solvers") {
  const Scratch scratch;
  const auto train = [&](const std::string& solver, const std::string& features) {
    const Outcome outcome =
        scratch.sculpt(quickstart_command({"--set", "solver.use=" + solver, "--set", features}));
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    return scratch.finished("run");
  };
  const Json free = train("n_slack", "features=chain");
  const std::string nonnegative_transitions =
      "features={\"use\":\"chain\",\"nonnegative\":[\"transitions\"]}";
  for (const char* solver : {"n_slack", "one_slack"}) {
    CAPTURE(solver);
    const Json bound = train(solver, nonnegative_transitions);
    CHECK(bound["certified"] == true);
    CHECK(bound["dual"].get<double>() > free["primal"].get<double>());  // bounds raise the optimum
    const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
    REQUIRE(w.size() > 26 * 26);
    const auto transitions = w.end() - 26 * 26;
    CHECK(*std::min_element(transitions, w.end()) == 0);
    CHECK(*std::max_element(transitions, w.end()) > 0);
    CHECK(*std::min_element(w.begin(), transitions) < 0);
  }
}
