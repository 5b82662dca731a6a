// Words of LIBSVM, CRFsuite and others: the message says what they are called here.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

using Words = std::vector<std::string>;

void check_hint(const Scratch& scratch, const Words& words, const std::string& hint) {
  CAPTURE(words);
  CAPTURE(hint);
  const Outcome outcome = scratch.sculpt(words);
  CAPTURE(outcome.err);
  CHECK(outcome.exit == exit_usage);
  CHECK(contains(outcome.err, hint));
}

}  // namespace

TEST_CASE("options of other programs lead to those of sculpt") {
  const Scratch scratch;
  const Words train = {"train", "--task", "multiclass", "rows.txt"};
  const auto with = [&](const Words& more) {
    Words words = train;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  check_hint(scratch, with({"-c", "3"}), "there is no option -c; C is --set solver.C=NUMBER");
  check_hint(scratch, with({"-c3"}), "C is --set solver.C=NUMBER");
  check_hint(scratch, with({"--C", "3"}), "--set solver.C=VALUE");
  check_hint(scratch, with({"--C=3"}), "--set solver.C=VALUE");
  check_hint(scratch, with({"-C", "3"}), "--set solver.C=VALUE");
  check_hint(scratch, with({"-v", "5"}), "--tune");
  check_hint(scratch, with({"--validation", "v.txt"}), "--set dataset.validation=FILE");
  check_hint(scratch, with({"--max-passes", "3"}), "--set solver.max_passes=VALUE");
  check_hint(scratch, with({"--loss", "hamming"}), "--set loss=VALUE");
  check_hint(scratch, with({"model"}), "the folder of the model is --output DIR");
  check_hint(scratch, {"predict", "run", "rows.txt", "--output", "o.txt"}, "write > FILE");
  check_hint(scratch, {"predict", "run", "rows.txt", "o.txt"}, "write > FILE");
  check_hint(scratch, {"predict", "run", "rows.txt", "-b", "1"}, "--marginals");
  check_hint(scratch, {"sweep", "--task", "multiclass", "rows.txt"},
             "sculpt new experiment --task TASK --train FILE");
  check_hint(scratch, {"learn", "rows.txt"}, "write sculpt train for it");
  check_hint(scratch, {"tag", "run", "rows.txt"}, "write sculpt predict for it");
  // Mistyped options keep their suggestion.
  check_hint(scratch, with({"--outpt", "d"}), "did you mean --output?");
}

TEST_CASE("a bare key names the section that has it") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto check_key = [&](const std::string& set, const std::string& hint) {
    CAPTURE(set);
    const Outcome outcome = scratch.sculpt({"train", "small.json", "--set", set});
    CAPTURE(outcome.err);
    CHECK(outcome.exit == exit_config);
    CHECK(contains(outcome.err, hint));
    CHECK(contains(outcome.err, "--set " + set + ": unknown key"));
  };
  check_key("C=3", "did you mean \"solver.C\"?");
  check_key("c=3", "did you mean \"solver.C\"?");
  check_key("max_passes=3", "did you mean \"solver.max_passes\"?");
  check_key("test=rows.txt", "did you mean \"dataset.test\"?");
  check_key("n_slack.C=3", "did you mean \"solver\"?");
  check_key("sede=3", "did you mean \"seed\"?");  // a key of the top level
  // In a file the message has its place.
  scratch.write("bare.json", R"({"dataset": {"use": "svmlight", "train": "rows.txt"},
 "features": "multiclass", "loss": "zero_one", "oracle": "enumerate", "solver": "n_slack",
 "C": 3})");
  const Outcome outcome = scratch.sculpt({"train", "bare.json"});
  CHECK(outcome.exit == exit_config);
  CHECK(contains(outcome.err,
                 "bare.json:3:2: unknown key \"C\" of the experiment, did you mean "
                 "\"solver.C\"?"));
}
