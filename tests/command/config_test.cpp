// The experiments of configs/ that run at once end as their comments say.

#include <doctest/doctest.h>

#include <iostream>

#include "command/shipped_config.hpp"

using namespace sculpt::test;

TEST_CASE("the images of configs/denoising.json are cleaned by certified pairs, not without them") {
  const Scratch scratch;
  const Json pairs = train_shipped(scratch, "denoising.json", "pairs");
  CHECK(pairs["certified"] == true);
  CHECK(test_error(pairs) == doctest::Approx(0.0226).epsilon(0.02));
  const Json alone =
      train_shipped(scratch, "denoising.json", "alone",
                    {"--set", "features.pairs=none", "--set", "features.nonnegative=[]"});
  CHECK(alone["certified"] == true);
  CHECK(test_error(alone) > 4 * test_error(pairs));
}

TEST_CASE("the model of a run with graph_cut is described without its data") {
  const Scratch scratch;
  train_shipped(scratch, "denoising.json", "pairs");
  const Outcome outcome = scratch.sculpt({"describe", "pairs"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.out.find("edge: equal labels") != std::string::npos);
}

TEST_CASE("the generator of configs/data/denoising makes the images that lie beside it") {
  const Scratch scratch;
  const fs::path folder = fs::path(SCULPT_TEST_SOURCE) / "configs/data/denoising";
  const Outcome outcome =
      scratch.run({"python3", "-B", (folder / "generate.py").string(), (scratch / "made").string(),
                   "--side", "64", "--train", "2", "--test", "2", "--seed", "7"});
  if (outcome.exit == 127) {
    std::cout << "SKIPPED: there is no python3\n";
    return;
  }
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  for (const char* split : {"train.txt", "test.txt"}) {
    CHECK(scratch.read(std::string("made/") + split) == scratch.read((folder / split).string()));
  }
}

TEST_CASE("configs/diversity.json covers more subtopics than chance does, certified") {
  const Scratch scratch;
  const Json end = train_shipped(scratch, "diversity.json", "run");
  CHECK(end["certified"] == true);
  CHECK(end["test"]["loss_at_k"].get<double>() == doctest::Approx(0.178).epsilon(0.01));
}

TEST_CASE("the generator of configs/data/diversity makes the topics that lie beside it") {
  const Scratch scratch;
  const fs::path folder = fs::path(SCULPT_TEST_SOURCE) / "configs/data/diversity";
  const Outcome outcome =
      scratch.run({"python3", "-B", (folder / "generate.py").string(), (scratch / "made").string(),
                   "--train", "8", "--test", "8", "--seed", "1"});
  if (outcome.exit == 127) {
    std::cout << "SKIPPED: there is no python3\n";
    return;
  }
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  for (const char* split : {"train.txt", "test.txt"}) {
    CHECK(scratch.read(std::string("made/") + split) == scratch.read((folder / split).string()));
  }
}
