// Chains of order two: exact oracles and solvers reach the same optimum, and settings that cannot
// work are refused.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Writes words of up to five letters over {a, b, c}. A label follows from the two labels before it.
// The inputs are random.
void write_triples_experiment(const Scratch& scratch) {
  std::string rows;
  unsigned state = 7;
  const auto below = [&state](unsigned end) {
    state = state * 1103515245u + 12345u;
    return (state >> 16) % end;
  };
  for (unsigned word = 0; word < 12; ++word) {
    const unsigned length = 2 + below(4);
    unsigned before[2] = {below(3), below(3)};
    for (unsigned t = 0; t < length; ++t) {
      const unsigned label = t < 2 ? before[t] : (before[0] + before[1]) % 3;
      if (t >= 2) before[0] = before[1], before[1] = label;
      rows += std::to_string(word) + " 0 " + std::to_string(t) + " " + "abc"[label] +
              (t + 1 < length ? " 1 " : " 0 ") + std::to_string(below(2)) + " " +
              std::to_string(below(2)) + "\n";
    }
  }
  const Json experiment = {{"name", "triples"},
                           {"dataset", {{"use", "letters"}, {"train", {{"text", rows}}}}},
                           {"features", {{"use", "chain"}, {"order", 2}}},
                           {"loss", "hamming"},
                           {"oracle", "viterbi"},
                           {"solver", {{"use", "n_slack"}, {"C", 20}, {"relative_gap", 1e-6}}}};
  scratch.write("triples.json", experiment.dump());
}

Outcome train_triples(const Scratch& scratch, const std::vector<std::string>& settings) {
  std::vector<std::string> words = {"train", "triples.json", "--force", "--output", "run"};
  for (const std::string& setting : settings) {
    words.push_back("--set");
    words.push_back(setting);
  }
  return scratch.sculpt(words);
}

}  // namespace

TEST_CASE("a chain of order two has the same optimum with every exact oracle and solver") {
  const Scratch scratch;
  write_triples_experiment(scratch);
  double primal = 0;
  for (const char* oracle : {"viterbi", "enumerate", "branch_and_bound"}) {
    for (const char* solver : {"n_slack", "one_slack"}) {
      CAPTURE(oracle);
      CAPTURE(solver);
      const Outcome outcome = train_triples(
          scratch, {std::string("oracle=") + oracle, std::string("solver.use=") + solver});
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
      const Json event = scratch.finished("run");
      CHECK(event["certified"] == true);
      if (primal == 0) primal = event["primal"];
      CHECK(event["primal"].get<double>() == doctest::Approx(primal).epsilon(2e-6));
    }
  }
  REQUIRE(train_triples(scratch, {"features.order=1"}).exit == 0);
  CHECK(scratch.finished("run")["primal"].get<double>() > 1.1 * primal);  // order two fits better
}

TEST_CASE("threads: real words with order two are certified, with the same model on two threads") {
  const Scratch scratch;
  std::string first;
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome = scratch.sculpt(
        {"train", std::string(SCULPT_TEST_SOURCE) + "/configs/quickstart.json", "--set",
         "dataset.train_folds=[1]", "--set", "dataset.test_folds=[0]", "--set", "solver.C=50",
         "--set", "features.order=2", "--threads", threads, "--force", "--output", "run"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    CHECK(scratch.finished("run")["certified"] == true);
    const std::string model = scratch.read("run/model.sculpt");
    if (first.empty()) first = model;
    CHECK(model == first);
  }
}

TEST_CASE("slack rescaling of order two is exact, or bounded by a search without the k best") {
  const Scratch scratch;
  write_triples_experiment(scratch);
  const std::string slack = "solver.rescaling=slack";
  const Outcome exact = train_triples(scratch, {slack, "oracle=enumerate"});
  INFO(exact.err);
  REQUIRE(exact.exit == 0);
  const double optimum = scratch.finished("run")["primal"];
  REQUIRE(train_triples(scratch, {slack}).exit == 0);
  CHECK(scratch.finished("run")["primal"].get<double>() == doctest::Approx(optimum).epsilon(2e-3));
  const Outcome searched =
      train_triples(scratch, {slack, "solver.max_passes=200", "solver.max_k_best=0"});
  INFO(searched.err);
  REQUIRE((searched.exit == 0 || searched.exit == 3));
  const Json event = scratch.finished("run");
  CHECK(event["dual"].get<double>() <= optimum * (1 + 1e-6));
  if (!event["primal_high"].is_null()) {
    CHECK(event["primal_high"].get<double>() >= optimum * (1 - 1e-6));
  }
}

TEST_CASE("settings that chains of order two do not support are refused with the remedy") {
  const Scratch scratch;
  write_triples_experiment(scratch);
  check_refused(scratch, train_triples(scratch, {"features.order=3"}), 78,
                {"order", "3", "1", "2"});
  check_refused(scratch, train_triples(scratch, {"oracle=graph_cut"}), 78,
                {"graph_cut needs pairwise, binary, attractive graphs; chain offers order-two"});
  check_refused(
      scratch,
      train_triples(scratch, {"features.nonnegative=[\"transitions2\"]", "features.order=1"}), 78,
      {"nonnegative names 'transitions2'", "without \"order\": 2; set it"});
}
