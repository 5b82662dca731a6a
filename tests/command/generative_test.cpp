// The solver generative: hidden Markov models, alignments and naive Bayes by counting.

#include <doctest/doctest.h>

#include <cmath>

#include "command/host_process.hpp"
#include "command/interrupted_run.hpp"

using namespace sculpt::test;
using doctest::Approx;

TEST_CASE("generative makes a hidden Markov model of a chain") {
  const Scratch scratch;
  // three words over a, b with two one-hot inputs: ab, aab, b
  scratch.write("words.txt",
                "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 a 1 10\n2 0 1 a 1 01\n2 0 2 b 0 01\n3 0 0 b 0 "
                "10\n");
  scratch.write("hmm.json", R"({"dataset": {"use": "letters", "train": "words.txt"},
      "features": {"use": "chain", "bias": false, "start_end": true}, "loss": "hamming",
      "oracle": "viterbi", "solver": {"use": "generative", "smoothing": 1}})");
  const Outcome outcome = scratch.sculpt({"train", "hmm.json", "--output", "run"});
  INFO(outcome.err);
  CHECK(outcome.exit == 3);  // nothing is minimized
  CHECK(scratch.finished("run")["stopped_by"] == "counted");
  CHECK(scratch.finished("run")["dual"] == nullptr);
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  REQUIRE(w.size() == 2 * 2 + 2 * 2 + 2 + 2);
  const auto log_share = [](double part, double whole) { return Approx(std::log(part / whole)); };
  // inputs: a emits 2 and 1, b emits 1 and 2
  CHECK(w[0] == log_share(3, 5));  // input 1, a
  CHECK(w[2] == log_share(2, 5));  // input 2, a
  CHECK(w[1] == log_share(2, 5));
  CHECK(w[3] == log_share(3, 5));
  // after a: a once, b twice, the end never; after b: the end three times
  CHECK(w[4] == log_share(2, 6));
  CHECK(w[5] == log_share(3, 6));
  CHECK(w[10] == log_share(1, 6));
  CHECK(w[6] == log_share(1, 6));
  CHECK(w[7] == log_share(1, 6));
  CHECK(w[11] == log_share(4, 6));
  // first letter: a twice, b once
  CHECK(w[8] == log_share(3, 5));
  CHECK(w[9] == log_share(2, 5));
  CHECK(scratch.sculpt({"verify", "run"}).exit == 3);
  CHECK(scratch.sculpt({"train", "hmm.json", "--output", "run", "--resume"}).exit == 3);
  CHECK(scratch.finished("run")["checkpoint_written"] == true);
}

TEST_CASE("generative counts the pairs of an alignment and takes gap costs from ungrouped") {
  const Scratch scratch;
  scratch.write("pairs.fa", ">a\nACA\n@ 2\n@ 2\n@ 2\n>b\nAC-\n@ -1\n@ -1\n\n>a\nAC\n>b\nCA\n");
  scratch.write("pairs.json", R"({"dataset": {"use": "pairs_fasta", "profile": 1,
      "train": "pairs.fa"}, "features": "alignment", "loss": "q", "oracle": "alignment",
      "solver": {"use": "generative", "ungrouped": -1.5}})");
  const Outcome outcome = scratch.sculpt({"train", "pairs.json", "--output", "run"});
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  REQUIRE(w.size() == 6);
  CHECK(w[0] == Approx(std::log(2 / 7.0)));  // A with A once, plus the smoothing of 1
  CHECK(w[1] == Approx(std::log(3 / 7.0)));  // A with C, in either order
  CHECK(w[2] == Approx(std::log(2 / 7.0)));
  // not counted: the product of profiles (may be negative), the gap letter, the gap opening
  for (const std::size_t ungrouped : {3U, 4U, 5U}) CHECK(w[ungrouped] == -1.5);
}

TEST_CASE("generative makes naive Bayes of classes, and refuses features that are not counts") {
  const Scratch scratch;
  scratch.write("rows.txt", "1 1:2 2:1\n1 1:1\n2 2:3\n");
  const auto config = [&](const std::string& features, const std::string& solver) {
    scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "rows.txt"},
        "features": )" + features + R"(, "loss": "zero_one", "oracle": "enumerate",
        "solver": )" + solver + "}");
    return scratch.sculpt({"train", "rows.json", "--output", "run", "--force"});
  };
  CHECK(config(R"({"use": "multiclass", "bias": true})", R"({"use": "generative", "smoothing": 0})")
            .exit == 3);
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  REQUIRE(w.size() == 6);
  CHECK(w[0] == Approx(std::log(3 / 4.0)));
  CHECK(w[2] == Approx(std::log(1 / 4.0)));
  CHECK(w[1] == -100);  // class 2 never has input 1
  CHECK(w[3] == 0);
  CHECK(w[4] == Approx(std::log(2 / 3.0)));
  CHECK(w[5] == Approx(std::log(1 / 3.0)));

  scratch.write("rows.txt", "1 1:-2 2:1\n2 2:3\n");
  const Outcome negative = config(R"("multiclass")", R"("generative")");
  CHECK(negative.exit == 78);
  CHECK(contains(negative.err, "generative counts events, but feature 0 adds up to -2"));
  const Outcome hard = config(R"("multiclass")", R"({"use": "generative", "C": "inf"})");
  CHECK(hard.exit == 78);
  write_noisy_experiment(scratch);
  const Outcome bounded =
      scratch.sculpt({"train", "noisy.json", "--set", "solver=generative", "--set",
                      R"(features={"use": "chain", "nonnegative": ["transitions"]})"});
  CHECK(bounded.exit == 78);
  CHECK(contains(bounded.err, "leave `nonnegative` out"));
  scratch.write("sets.txt", "1,2 1:1\n- 2:1\n");
  scratch.write("sets.json", R"({"dataset": {"use": "mlsvml", "train": "sets.txt"},
      "features": "multilabel", "loss": "hamming", "oracle": "enumerate", "solver": "generative"})");
  const Outcome without_groups = scratch.sculpt({"train", "sets.json"});
  CHECK(without_groups.exit == 78);
  CHECK(contains(without_groups.err, "does not report which of its features exclude each other"));
}
