// The fast experiments of configs/ end with the results that their comments state.

#include <doctest/doctest.h>

#include <iostream>

#include "command/shipped_config.hpp"

using namespace sculpt::test;

TEST_CASE("configs/denoising.json: certified, and more than 4 times as many errors without pairs") {
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

TEST_CASE("describe prints the weights of a model of graph_cut by name") {
  const Scratch scratch;
  train_shipped(scratch, "denoising.json", "pairs");
  const Outcome outcome = scratch.sculpt({"describe", "pairs"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.out.find("edge: equal labels") != std::string::npos);
}

namespace {

// Checks that a generator of configs/data makes the files that lie beside it.
void check_generator(const std::string& data, const std::vector<std::string>& options) {
  const Scratch scratch;
  const fs::path folder = fs::path(SCULPT_TEST_SOURCE) / "configs/data" / data;
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

TEST_CASE("the generator of configs/data/denoising makes the images that lie beside it") {
  check_generator("denoising", {"--side", "64", "--train", "2", "--test", "2", "--seed", "7"});
}

TEST_CASE("the generator of configs/data/diversity makes the topics that lie beside it") {
  check_generator("diversity", {"--train", "8", "--test", "8", "--seed", "1"});
}

TEST_CASE("the generator of configs/data/ranking makes the queries that lie beside it") {
  check_generator("ranking", {});
}

TEST_CASE("the generator of configs/data/records makes the documents that lie beside it") {
  check_generator("records", {"--items", "12", "--train", "12", "--test", "12", "--seed", "5"});
}

TEST_CASE("the generator of configs/data/molecules makes the molecules that lie beside it") {
  check_generator("molecules", {});
}

TEST_CASE("configs/molecules.json: Tanimoto is certified, and far better than weights of bits") {
  const Scratch scratch;
  const Json tanimoto = train_shipped(scratch, "molecules.json", "tanimoto");
  CHECK(tanimoto["certified"] == true);
  CHECK(test_error(tanimoto) == doctest::Approx(0.103).epsilon(0.05));
  const Json bits = train_shipped(scratch, "molecules.json", "bits", {"--set", "kernel=null"});
  CHECK(bits["certified"] == true);
  CHECK(test_error(bits) > 4 * test_error(tanimoto));
}

TEST_CASE("configs/ranking.json: certified, with the measures that its comment states") {
  const Scratch scratch;
  const Json end = train_shipped(scratch, "ranking.json", "run");
  CHECK(end["certified"] == true);
  CHECK(end["train"]["examples"] == 36);
  CHECK(end["test"]["skipped"] == 6);
  CHECK(end["test"]["pair_error"].get<double>() == doctest::Approx(0.115).epsilon(0.02));
  CHECK(end["test"]["ndcg@10"].get<double>() == doctest::Approx(0.895).epsilon(0.01));
  const Json gains = train_shipped(scratch, "ranking.json", "gains", {"--set", "loss=ndcg"});
  CHECK(gains["certified"] == true);
  CHECK(gains["test"]["ndcg@10"].get<double>() == doctest::Approx(0.904).epsilon(0.01));
}

TEST_CASE("configs/diversity.json: certified, with the loss that its comment states") {
  const Scratch scratch;
  const Json end = train_shipped(scratch, "diversity.json", "run");
  CHECK(end["certified"] == true);
  CHECK(end["test"]["loss_at_k"].get<double>() == doctest::Approx(0.178).epsilon(0.01));
}

TEST_CASE("configs/clustering.json: certified, with the measures that its comment states") {
  const Scratch scratch;
  const Json records = train_shipped(scratch, "clustering.json", "records");
  CHECK(records["certified"] == true);
  CHECK(records["test"]["rand_error"].get<double>() == doctest::Approx(0.083).epsilon(0.1));
  CHECK(records["test"]["mitre_f1"].get<double>() == doctest::Approx(0.954).epsilon(0.01));
}

TEST_CASE("configs/acq.json: training for F1 reaches a higher F1 than a plain SVM") {
  if (!shared_data("text/acq.train.svml")) return;
  const Scratch scratch;
  const Json f1 = train_shipped(scratch, "acq.json", "f1");
  CHECK(f1["certified"] == true);
  CHECK(f1["test"]["f1"].get<double>() == doctest::Approx(0.956).epsilon(0.002));
  const Json plain = train_shipped(scratch, "acq.json", "plain",
                                   {"--set", "loss=error_rate", "--set", "solver.C=2000"});
  CHECK(plain["test"]["f1"].get<double>() == doctest::Approx(0.951).epsilon(0.002));
  CHECK(f1["test"]["f1"].get<double>() > plain["test"]["f1"].get<double>());
}
