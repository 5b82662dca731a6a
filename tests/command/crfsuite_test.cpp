// Sequences from files of CRFsuite: the same weights as from conll, models without their data, the
// output of predict, and refusals.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string crfsuite_data =
    "B-NP\tw=the\tpos=DT\nI-NP\tw=cat\tpos=NN\nB-VP\tw=sleeps\tpos=VBZ\nO\tw=\\:\tpos=\\:\n\n"
    "B-NP\tw=it\tpos=PRP\nB-VP\tw=sees\tpos=VBZ\nB-NP\tw=a\tpos=DT\nI-NP\tw=dog\tpos=NN\n";
const std::string columns_data =
    "the DT B-NP\ncat NN I-NP\nsleeps VBZ B-VP\n: : O\n\n"
    "it PRP B-NP\nsees VBZ B-VP\na DT B-NP\ndog NN I-NP\n";

// An experiment with a conditional random field.
Json crf_experiment(const Json& dataset) {
  return {{"dataset", dataset},
          {"features", "chain"},
          {"loss", "hamming"},
          {"oracle", "viterbi"},
          {"solver", {{"use", "crf"}, {"C", 100}, {"relative_gap", 1e-13}}}};
}

// Trains on train.txt. Returns the outcome; the model is in the folder "run".
Outcome train_crf(const Scratch& scratch, const std::string& data, const Json& dataset) {
  Json given = dataset;
  given["train"] = "train.txt";
  scratch.write("train.txt", data);
  scratch.write("crf.json", crf_experiment(given).dump());
  return scratch.sculpt({"train", "crf.json", "--output", "run", "--force"});
}

std::vector<double> trained_weights(const Scratch& scratch, const std::string& data,
                                    const Json& dataset) {
  const Outcome outcome = train_crf(scratch, data, dataset);
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  return weights_of(scratch.read("run/model.sculpt"));
}

}  // namespace

TEST_CASE("crfsuite and conll give the same weights from the same attributes") {
  const Scratch scratch;
  const std::vector<double> from_columns =
      trained_weights(scratch, columns_data, {{"use", "conll"}, {"templates", {"w[0]", "pos[0]"}}});
  CHECK(from_columns.size() > 16);
  CHECK(trained_weights(scratch, crfsuite_data, {{"use", "crfsuite"}}) == from_columns);
}

TEST_CASE("the weight 2 of a sequence counts like the sequence written twice") {
  const Scratch scratch;
  const std::string second = crfsuite_data.substr(crfsuite_data.find("\n\n") + 2);
  Json dataset = {{"use", "crfsuite"}};
  const std::vector<double> twice =
      trained_weights(scratch, crfsuite_data + "\n" + second + "\n@weight:0\n" + second, dataset);
  // n is 4 in both.
  const std::string first = crfsuite_data.substr(0, crfsuite_data.find("\n\n") + 2);
  const std::string none = "@weight:0\n" + second + "\n";
  const std::vector<double> weighted =
      trained_weights(scratch, first + "@weight:2\n" + second + "\n" + none + none, dataset);
  REQUIRE(twice.size() == weighted.size());
  for (std::size_t k = 0; k < twice.size(); ++k) {
    CHECK(weighted[k] == doctest::Approx(twice[k]).epsilon(1e-5).scale(1));
  }
}

TEST_CASE("a model of crfsuite prints a label a line for text with unknown attributes") {
  const Scratch scratch;
  REQUIRE(train_crf(scratch, crfsuite_data, {{"use", "crfsuite"}}).exit == 0);
  fs::remove(scratch / "train.txt");
  scratch.write("raw.txt", "\tw=the\tpos=DT\r\n\tw=zebra\tpos=NN\r\n\r\n\r\n\tw=it\tpos=PRP\r\n");
  const Outcome raw = scratch.sculpt({"predict", "run", "raw.txt"});
  INFO(raw.err);
  CHECK(raw.exit == 0);
  CHECK(raw.out == "B-NP\nI-NP\n\nB-NP\n\n");
  CHECK(raw.err.find("ignored 1 of 6 attributes") != std::string::npos);
  scratch.write("labelled.txt", "B-NP\tpos=DT\nB-NP\tpos=NN\n");
  const Outcome labelled = scratch.sculpt({"predict", "run", "labelled.txt"});
  CHECK(labelled.out == "B-NP\tB-NP\nB-NP\tI-NP\n\n");
  const Outcome measured = scratch.sculpt({"evaluate", "run", "labelled.txt", "--json"});
  CHECK(Json::parse(measured.out)["token_error"] == 0.5);
  CHECK(Json::parse(measured.out)["chunk_f1"] == 0);
}

TEST_CASE("labels that training does not have are refused by predict, or read on request") {
  const Scratch scratch;
  REQUIRE(train_crf(scratch, crfsuite_data, {{"use", "crfsuite"}}).exit == 0);
  scratch.write("new.txt", "?\tpos=DT\n?\tpos=NN\n");
  const Outcome refused = scratch.sculpt({"predict", "run", "new.txt"});
  CHECK(refused.exit == 65);
  CHECK(refused.err.find("new.txt:1:1: label '?' does not occur") != std::string::npos);
  CHECK(refused.err.find("leave the first field of all rows empty") != std::string::npos);
  const Outcome read =
      scratch.sculpt({"predict", "run", "new.txt", "--set", "dataset.unseen_labels=wrong"});
  CHECK(read.exit == 0);
  CHECK(read.out == "?\tB-NP\n?\tI-NP\n\n");
}

TEST_CASE("rows of crfsuite with an open colon are refused with exit 65 and their place") {
  const Scratch scratch;
  const Outcome outcome =
      train_crf(scratch, crfsuite_data + "\nO\tu=http://x\n", {{"use", "crfsuite"}});
  CHECK(outcome.exit == 65);
  CHECK(outcome.err.find("train.txt:11:10: '//x' is not a value") != std::string::npos);
}
