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

TEST_CASE("the queries of configs/ranking.json are ordered as its comment says") {
  const Scratch scratch;
  const Json end = train_shipped(scratch, "ranking.json", "run");
  CHECK(end["certified"] == true);
  CHECK(end["train"]["examples"] == 36);
  CHECK(end["test"]["skipped"] == 6);
  CHECK(end["test"]["pair_error"].get<double>() == doctest::Approx(0.115).epsilon(0.02));
  CHECK(end["test"]["ndcg_10"].get<double>() == doctest::Approx(0.895).epsilon(0.01));
  const Json gains = train_shipped(scratch, "ranking.json", "gains", {"--set", "loss=ndcg"});
  CHECK(gains["certified"] == true);
  CHECK(gains["test"]["ndcg_10"].get<double>() == doctest::Approx(0.904).epsilon(0.01));
}

namespace {

// Whether the generator of configs/data/`name` makes the files that lie beside it.
void check_generator(const std::string& name, const std::vector<std::string>& options) {
  const Scratch scratch;
  const fs::path folder = fs::path(SCULPT_TEST_SOURCE) / "configs/data" / name;
  std::vector<std::string> words{"python3", "-B", (folder / "generate.py").string(),
                                 (scratch / "made").string()};
  words.insert(words.end(), options.begin(), options.end());
  const Outcome outcome = scratch.run(words);
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

}  // namespace

TEST_CASE("the generators of configs/data make the files that lie beside them") {
  check_generator("denoising", {"--side", "64", "--train", "2", "--test", "2", "--seed", "7"});
  check_generator("ranking", {});
}
