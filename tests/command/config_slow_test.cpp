// The experiments of configs/ whose data may not be distributed end with the results that their
// comments state. Label "slow".

#include <doctest/doctest.h>

#include <cmath>

#include "command/shipped_config.hpp"

using namespace sculpt::test;

TEST_CASE("configs/yeast.json: the error of Finley & Joachims, within three standard errors") {
  if (!shared_data("multilabel/yeast.train.mlsvml")) return;
  const Json end = train_shipped(Scratch(), "yeast.json", "run");
  CHECK(end["certified"] == true);
  CHECK(std::abs(test_error(end) - 0.2023) <= 3 * 0.0053);
}

TEST_CASE("configs/emotions.json: certified, with the error that its comment states") {
  if (!shared_data("multilabel/emotions.train.mlsvml")) return;
  const Json end = train_shipped(Scratch(), "emotions.json", "run");
  CHECK(end["certified"] == true);
  CHECK(test_error(end) == doctest::Approx(0.205).epsilon(0.03));
}

TEST_CASE("configs/snakes.json: certified, with almost no error, and with many without pairs") {
  if (!shared_data("grid/snakes.train.txt")) return;
  const Scratch scratch;
  const Json end = train_shipped(scratch, "snakes.json", "run");
  CHECK(end["certified"] == true);
  CHECK(test_error(end) <= 0.002);
  const Json alone = train_shipped(scratch, "snakes.json", "alone",
                                   {"--set", "features.pairs=none", "--set",
                                    "features.edge_features=none", "--set", "oracle=viterbi"});
  CHECK(alone["certified"] == true);
  CHECK(test_error(alone) > 0.2);
}

TEST_CASE("configs/archiveii.json: the F1 that its comment states, for its grammar and for G6") {
  if (!shared_data("rna/archiveII.short.train.fa")) return;
  const Scratch scratch;
  const std::string config = std::string(SCULPT_TEST_SOURCE) + "/configs/archiveii.json";
  const auto f1 = [&](const std::string& run, const std::vector<std::string>& more) {
    std::vector<std::string> words{"train", config, "--output", run};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = scratch.sculpt(words);
    INFO(outcome.err);
    REQUIRE(outcome.exit == 3);  // counting proves no gap
    return scratch.finished(run)["test"]["f1"].get<double>();
  };
  CHECK(f1("loops", {}) == doctest::Approx(0.897).epsilon(0.001));
  CHECK(f1("g6", {"--set", "features=rna"}) == doctest::Approx(0.521).epsilon(0.001));
}

TEST_CASE("configs/conll2000_crf.json: the chunk F1 that its comment states") {
  if (!shared_data("conll2000/train.txt")) return;
  const Scratch scratch;
  const std::string config = std::string(SCULPT_TEST_SOURCE) + "/configs/conll2000_crf.json";
  REQUIRE(scratch.sculpt({"train", config, "--output", "run"}).exit == 3);  // no target
  const Json end = scratch.finished("run");
  CHECK(end["minimizes"] == "log_loss");
  CHECK(end["test"]["chunk_f1"].get<double>() == doctest::Approx(0.937).epsilon(0.002));
}
