// Formulations that need a frontier: one that is too large, and an oracle without one.

#include <doctest/doctest.h>

#include <cstdlib>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// The number before `suffix` in `text`, or 0.
long number_before(const std::string& text, const std::string& suffix) {
  const std::size_t end = text.find(suffix);
  if (end == std::string::npos) return 0;
  return std::atol(text.c_str() + text.rfind(' ', end - 1));
}

}  // namespace

TEST_CASE("a frontier with more than max_cells is refused with its number of cells") {
  const Scratch scratch;
  const std::vector<std::vector<std::string>> runs = {
      {"solver.rescaling=slack", "oracle=viterbi"},
      {"solver.rescaling=slack", "oracle=enumerate"},
      {"solver.slack_norm=2", "oracle=viterbi"},
      {"loss=zero_one", "oracle=viterbi"}};
  for (std::vector<std::string> sets : runs) {
    CAPTURE(sets[0]);
    CAPTURE(sets[1]);
    CHECK(train_with_test_plugins(scratch, sets, {"--force"}).exit == 0);
    const std::string model = scratch.read("run/model.sculpt");
    sets.push_back("oracle.max_cells=2");
    const Outcome outcome = train_with_test_plugins(scratch, sets, {"--force"});
    INFO(outcome.err);
    CHECK(outcome.exit == 78);
    CHECK(outcome.out.empty());
    CHECK(number_before(outcome.err, " cells of ") > 2);
    CHECK(outcome.err.find("more than max_cells = 2; raise max_cells") != std::string::npos);
    CHECK(outcome.err.find(sets[1].substr(7) + ": example ") != std::string::npos);
    CHECK(scratch.read("run/model.sculpt") == model);  // the old model is kept
  }
}

TEST_CASE("the 0/1 loss on words has the same optimum with viterbi and with enumerate") {
  const Scratch scratch;
  for (const char* formulation : {"solver.slack_norm=1", "solver.slack_norm=2"}) {
    CAPTURE(formulation);
    double primal = 0;
    for (const char* oracle : {"oracle=viterbi", "oracle=enumerate"}) {
      REQUIRE(train_with_test_plugins(
                  scratch, {"loss=zero_one", "solver.relative_gap=1e-7", oracle, formulation},
                  {"--force"})
                  .exit == 0);
      const Json event = scratch.finished("run");
      if (primal > 0) CHECK(event["primal"].get<double>() == doctest::Approx(primal).epsilon(2e-7));
      primal = event["primal"];
      CHECK(primal > 0);
    }
  }
}

TEST_CASE("icm under slack rescaling or norm 2 trains, and its run is not certified") {
  const Scratch scratch;
  for (const char* loss : {"loss=hamming", "loss=alarm"}) {  // alarm offers no counts
    for (const char* set : {"solver.rescaling=slack", "solver.slack_norm=2"}) {
      for (const char* solver : {"solver.use=n_slack", "solver.use=one_slack"}) {
        CAPTURE(loss);
        CAPTURE(set);
        CAPTURE(solver);
        const Outcome outcome =
            train_with_test_plugins(scratch, {"oracle=icm", loss, set, solver}, {"--force"});
        INFO(outcome.err);
        CHECK(outcome.exit == 3);
        CHECK(outcome.out.find("not certified, the oracle gives no upper bound") !=
              std::string::npos);
        const Json event = scratch.finished("run");
        CHECK(event["certified"] == false);
        CHECK(event["primal_high"].is_null());
        CHECK(event["train"]["loss"] == 0);                             // both words are right
        CHECK(event["oracle_calls"] > 2 * event["passes"].get<int>());  // several for each word
      }
    }
  }
}

TEST_CASE(
    "a loss that does not split over the graph is refused before training without a frontier") {
  const Scratch scratch;
  const Outcome outcome = train_with_test_plugins(
      scratch, {"oracle=icm", "loss=zero_one", "solver.rescaling=slack"}, {"--force"});
  INFO(outcome.err);
  CHECK(outcome.exit == 78);
  CHECK(outcome.err.find("zero_one needs single graphs") != std::string::npos);
  CHECK(outcome.err.find("icm offers no frontier") != std::string::npos);
  CHECK_FALSE(fs::exists(scratch / "run"));
}
