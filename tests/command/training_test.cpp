// Whole runs of the binary: training, prediction, other components, determinism.

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;

TEST_CASE("the finished event holds the certificate, the times and the metrics of each split") {
  const Scratch scratch;
  write_small_experiment(scratch);
  CHECK(train_small(scratch, {}).exit == 0);
  const Json event = scratch.finished("run");
  CHECK(event["event"] == "finished");
  CHECK(event["objective"] == "standard");
  CHECK(event["certified"] == true);
  CHECK(event["stopped_by"] == "relative_gap");
  CHECK(event["relative_gap"].get<double>() <= 1e-3);
  CHECK(event["primal"].get<double>() >= event["dual"].get<double>());
  CHECK(event["gap"].get<double>() ==
        doctest::Approx(event["primal"].get<double>() - event["dual"].get<double>()));
  for (const char* key : {"primal_low", "primal_high", "passes", "oracle_calls", "seconds"}) {
    CHECK(event[key].is_number());
  }
  double sum = 0;
  for (const char* part :
       {"reading", "oracle", "sweep", "qp", "reduction", "evaluation", "writing", "rest"}) {
    const double seconds = event[std::string(part) + "_seconds"];
    CHECK(seconds >= 0);
    sum += seconds;
  }
  CHECK(sum == doctest::Approx(event["seconds"].get<double>()));
  CHECK(event["reading_seconds"] > 0);
  CHECK(event["writing_seconds"] > 0);
  CHECK(event["train"]["label_error"].is_number());
  CHECK(event["test"]["label_error"].is_number());
  CHECK(event["test"]["examples"] == 2);
  CHECK_FALSE(event.contains("validation"));
}

TEST_CASE("train reports its expected memory and its peak, which agree to a factor of 2") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = train_small(scratch, {});
  CHECK(outcome.err.find("this run is expected to need ") != std::string::npos);
  const auto expected = scratch.started("run")["memory_estimate_bytes"].get<double>();
  const auto peak = scratch.finished("run")["peak_memory_bytes"].get<double>();
  CHECK(expected > 1e6);
  CHECK(peak > 1e6);
  CHECK(peak < 2 * expected);
  CHECK(expected < 2 * peak);
}

TEST_CASE("the dual never falls and never exceeds the primal in any event") {
  const Scratch scratch;
  write_small_experiment(scratch);
  for (const char* solver : {"n_slack", "one_slack"}) {
    train_small(scratch, {"--force", "--set", std::string("solver.use=") + solver, "--set",
                          "solver.relative_gap=1e-9"});
    std::istringstream lines(scratch.read("run/events.jsonl"));
    double dual = 0;
    int passes = 0;
    for (std::string line; std::getline(lines, line);) {
      const Json event = Json::parse(line);
      if (event["event"] != "pass") continue;
      ++passes;
      CHECK(event["dual"].get<double>() >= dual);
      dual = event["dual"].get<double>();
      CHECK(event["primal_low"].get<double>() >= dual - 1e-9);
    }
    CHECK(passes > 1);
  }
}

TEST_CASE("n_slack and one_slack reach the same optimum through the binary") {
  const Scratch scratch;
  write_small_experiment(scratch);
  std::vector<double> primal;
  for (const char* solver : {"n_slack", "one_slack"}) {
    train_small(scratch, {"--force", "--set", std::string("solver.use=") + solver, "--set",
                          "solver.relative_gap=1e-8"});
    primal.push_back(scratch.finished("run")["primal"]);
  }
  CHECK(primal[0] == doctest::Approx(primal[1]).epsilon(1e-6));
}

TEST_CASE("a model predicts new files after the training data is gone") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  fs::remove(scratch / "words.txt");
  fs::remove(scratch / "small.json");
  scratch.write("new.txt", "7 0 0 ? 1 1 0 0\n7 0 1 ? 0 0 1 0\n8 0 0 ? 0 0 1 1\n");
  const Outcome outcome = scratch.sculpt({"predict", "run", "new.txt"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out == "ab\nb\n");
}

TEST_CASE("evaluate gives the metrics of the test words in training") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  scratch.write("test.txt", "3 1 0 a 1 1 1 0\n3 1 1 a 0 1 0 0\n4 1 0 b 1 0 1 0\n4 1 1 b 0 1 1 1\n");
  const Outcome outcome = scratch.sculpt({"evaluate", "run/model.sculpt", "test.txt", "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(Json::parse(outcome.out) == scratch.finished("run")["test"]);
}

TEST_CASE("evaluate refuses data without labels") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  scratch.write("new.txt", "7 0 0 ? 0 1 0 0\n");
  const Outcome outcome = scratch.sculpt({"evaluate", "run", "new.txt"});
  CHECK(outcome.exit == 65);
  CHECK(outcome.err.find("predict") != std::string::npos);
}

TEST_CASE("a run with icm in place of viterbi is not certified") {
  const Scratch scratch;
  write_small_experiment(scratch);
  CHECK(train_small(scratch, {}).exit == 0);
  CHECK(scratch.finished("run")["certified"] == true);
  const Outcome outcome = train_small(scratch, {"--force", "--set", "oracle=icm"});
  CHECK(outcome.exit == 3);
  const Json event = scratch.finished("run");
  CHECK(event["certified"] == false);
  CHECK(event["primal_high"].is_null());
  CHECK(event["primal"] == event["primal_low"]);
  CHECK((event["stopped_by"] == "oracle_exhausted" || event["stopped_by"] == "relative_gap"));
  CHECK(outcome.out.find("not certified") != std::string::npos);
}

TEST_CASE("epsilon ends a run with exit 0, and max_passes ends it with exit 3") {
  const Scratch scratch;
  write_small_experiment(scratch);
  CHECK(train_small(scratch,
                    {"--force", "--set", "solver.relative_gap=0", "--set", "solver.epsilon=0.01"})
            .exit == 0);
  CHECK(scratch.finished("run")["stopped_by"] == "epsilon");
  CHECK(train_small(scratch,
                    {"--force", "--set", "solver.relative_gap=0", "--set", "solver.max_passes=1"})
            .exit == 3);
  CHECK(scratch.finished("run")["stopped_by"] == "max_passes");
  CHECK(fs::exists(scratch / "run/model.sculpt"));
}

TEST_CASE("config.json of a run gives the same model again") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {"--set", "solver.C=3"});
  const Outcome again = scratch.sculpt({"train", "run/config.json", "--output", "again"});
  INFO(again.err);
  CHECK(again.exit == 0);
  CHECK(scratch.read("run/model.sculpt") == scratch.read("again/model.sculpt"));
}

TEST_CASE("numpy reads the weights of a model in five lines") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const Outcome outcome =
      scratch.run({"/usr/bin/python3", "-c",
                   "import json, numpy\n"
                   "raw = open('run/model.sculpt', 'rb').read()\n"
                   "header = json.loads(raw[16:16 + int.from_bytes(raw[8:16], 'little')])\n"
                   "array = header['arrays']['weights']\n"
                   "w = numpy.frombuffer(raw, array['dtype'], array['shape'][0], array['offset'])\n"
                   "print(len(w), numpy.dot(w, w) / 2)\n"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  std::istringstream words(outcome.out);
  int dimension = 0;
  double half_norm = 0;
  words >> dimension >> half_norm;
  // 3 inputs and a bias for each of 2 letters, and 2 x 2 transitions.
  CHECK(dimension == 4 * 2 + 2 * 2);
  // The words are separable: the primal is 1/2 ||w||^2, up to the slack that the gap allows.
  const Json event = scratch.finished("run");
  CHECK(half_norm > 0);
  CHECK(half_norm == doctest::Approx(event["primal"].get<double>()).epsilon(2e-3));
}

TEST_CASE("describe NAME prints a component, or the library of that name if it holds more") {
  const Scratch scratch;
  const std::string folder = SCULPT_BUILT_PLUGINS;
  const std::string losses = scratch.sculpt({"describe", "item_losses"}).out;
  CHECK(losses.starts_with("item_losses 1"));
  for (const char* loss : {"f1", "difference", "missed"}) {
    CHECK(losses.find("org.sculpt." + std::string(loss) + " ") != std::string::npos);
  }
  CHECK(losses == scratch.sculpt({"describe", "item_losses.so"}).out);
  // two components have the name grammar, and the library also holds the dataset trees
  const std::string grammar = scratch.sculpt({"describe", "grammar"}).out;
  CHECK(grammar.starts_with("grammar 1"));
  CHECK(grammar.find("org.sculpt.trees ") != std::string::npos);
  const std::string trees = scratch.sculpt({"describe", "trees"}).out;
  CHECK(trees.starts_with("org.sculpt.trees "));
  CHECK(trees.find("org.sculpt.grammar ") == std::string::npos);
  CHECK(scratch.sculpt({"describe", "viterbi"}).out.starts_with("org.sculpt.viterbi "));
}

TEST_CASE("describe lists components, parameters and the top weights of a model") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const Outcome all = scratch.sculpt({"describe"});
  for (const char* name : {"letters", "svmlight", "multiclass", "chain", "zero_one", "hamming",
                           "viterbi", "enumerate", "icm", "n_slack", "one_slack"}) {
    CAPTURE(name);
    CHECK(all.out.find(name) != std::string::npos);
  }
  CHECK(scratch.sculpt({"describe", "chain"}).out.find("start_end") != std::string::npos);
  const std::string solver = scratch.sculpt({"describe", "n_slack"}).out;
  CHECK(solver.find("relative_gap") != std::string::npos);
  CHECK(solver.find("real from 0 to 1; default 0.001") != std::string::npos);
  CHECK(solver.find("choice margin|slack; default") != std::string::npos);
  CHECK(scratch.sculpt({"describe", "run", "--top", "3"}).out.find("top weights") !=
        std::string::npos);
  const Outcome unknown = scratch.sculpt({"describe", "item_lose"});
  CHECK(unknown.exit == 66);
  CHECK(unknown.err.find("did you mean \"item_losses\"") != std::string::npos);
  CHECK(scratch.sculpt({"describe", "nonsense.sculpt"}).exit == 66);
  CHECK(scratch.sculpt({"describe", "nowhere/nonsense"}).exit == 66);
}
