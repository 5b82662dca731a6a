// Mistakes in an experiment. Each test checks the exit code, the place and the remedy.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Trains the small experiment with `from` replaced by `to` in its text.
Outcome train_changed(const Scratch& scratch, const std::string& from, const std::string& to) {
  write_small_experiment(scratch);
  std::string text = scratch.read("small.json");
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  scratch.write("small.json", text.replace(at, from.size(), to));
  return scratch.sculpt({"train", "small.json"});
}

Outcome train_with_sets(const Scratch& scratch, const std::vector<std::string>& sets) {
  write_small_experiment(scratch);
  std::vector<std::string> words{"train", "small.json"};
  for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
  return scratch.sculpt(words);
}

}  // namespace

TEST_CASE("the small experiment itself trains") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt({"train", "small.json"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
}

TEST_CASE("an unknown key is refused with its place and the key that was meant") {
  const Scratch scratch;
  check_refused(scratch, train_changed(scratch, "\"C\": 10", "\"max_pases\": 10"), 78,
                {"small.json:7:32: ", "max_pases", "did you mean \"max_passes\"?"});
}

TEST_CASE("an unknown key at the top level is refused") {
  const Scratch scratch;
  check_refused(scratch, train_changed(scratch, "\"loss\":", "\"losss\":"), 78,
                {"small.json:5:3: ", "losss", "\"loss\""});
}

TEST_CASE("a duplicate key is refused with both places") {
  const Scratch scratch;
  check_refused(scratch, train_changed(scratch, "\"C\": 10", "\"C\": 10, \"C\": 11"), 78,
                {"small.json:7:41: ", "7:32"});
}

TEST_CASE("a mistyped value is refused with what was expected") {
  const Scratch scratch;
  check_refused(scratch, train_changed(scratch, "\"C\": 10", "\"C\": \"10abc\""), 78,
                {"small.json:7:37: ", "10abc", "number"});
}

TEST_CASE("an unknown key of a dataset is also compared with the names of its splits") {
  const Scratch scratch;
  check_refused(scratch, train_with_sets(scratch, {"dataset.tset=x.txt"}), 78,
                {"\"tset\"", "\"test\""});
}

TEST_CASE("a pipe as data is refused at once, without waiting for its writer") {
  const Scratch scratch;
  REQUIRE(scratch.run({"mkfifo", "pipe"}).exit == 0);
  check_refused(scratch, train_with_sets(scratch, {"dataset.train=pipe"}), 66,
                {"pipe: is not a regular file"});
}

TEST_CASE("broken JSON is refused with its place") {
  const Scratch scratch;
  check_refused(scratch, train_changed(scratch, "\"loss\": \"hamming\",", "\"loss\": \"hamming\""),
                78, {"small.json:6:3: "});
}

TEST_CASE("a data file in place of an experiment is refused with the form of an experiment") {
  const Scratch scratch;
  scratch.write("rows.txt", "+1 1:0.5\n-1 2:1\n");
  scratch.write("ranks.txt", "2 qid:1 1:0.5\n1 qid:1 2:1\n");
  for (const char* file : {"rows.txt", "ranks.txt"}) {
    check_refused(scratch, scratch.sculpt({"train", file}), 78,
                  {std::string(file) + ":1:",
                   "an experiment is an object { ... }; it names the "
                   "data, as \"dataset\": {\"use\": ..., "});
  }
  scratch.write("broken.json", "{\"dataset\": 1x}");
  CHECK(scratch.sculpt({"train", "broken.json"}).err.find("it names the data") ==
        std::string::npos);
}

TEST_CASE("a negative C is refused with its place") {
  const Scratch scratch;
  check_refused(scratch, train_changed(scratch, "\"C\": 10", "\"C\": -1"), 78,
                {"small.json:7:37: ", "-1", "must be a number of at least 1e-12 or \"inf\""});
}

TEST_CASE("a bad value of --set is refused with the text of the option") {
  const Scratch scratch;
  check_refused(scratch, train_with_sets(scratch, {"solver.C=10abc"}), 78,
                {"--set solver.C=10abc", "number"});
}

TEST_CASE("a value that a component refuses is reported with the place of the value") {
  const Scratch scratch;
  scratch.write("rows.txt", "1 1:1\n2 2:1\n");
  const auto refuse = [&](const std::string& labels, const std::string& set,
                          const std::string& place) {
    scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "rows.txt",
 "labels": )" + labels + R"(}, "features": "multiclass",
 "loss": "zero_one", "oracle": "enumerate", "solver": {"use": "n_slack", "C": 1}})");
    std::vector<std::string> words{"train", "rows.json"};
    if (!set.empty()) words.insert(words.end(), {"--set", set});
    check_refused(scratch, scratch.sculpt(words), 78, {place + ": svmlight: labels has "});
  };
  refuse(R"(["3", "9..1"])", "", "rows.json:2:18");
  refuse("[]", R"(dataset.labels=["9..1"])", R"(--set dataset.labels=["9..1"])");
  refuse(R"(["${env:SCULPT_TEST_UNSET:x}"])", "", "rows.json:2:13 (${env:SCULPT_TEST_UNSET:x})");
}

TEST_CASE("--set without a value is wrong usage") {
  const Scratch scratch;
  check_refused(scratch, train_with_sets(scratch, {"solver.C"}), 64, {"solver.C"});
}

TEST_CASE("an unknown component is refused with its place and the name that was meant") {
  const Scratch scratch;
  check_refused(scratch, train_changed(scratch, "\"viterbi\"", "\"viterby\""), 78,
                {"small.json:6:13: ", "viterby", "did you mean \"viterbi\"?", "looked in "});
}

TEST_CASE("an unknown solver is refused") {
  const Scratch scratch;
  check_refused(scratch, train_changed(scratch, "\"n_slack\"", "\"nslack\""), 78,
                {"small.json:7:21: ", "nslack", "n_slack"});
}

TEST_CASE("a missing experiment file is reported as missing") {
  const Scratch scratch;
  check_refused(scratch, scratch.sculpt({"train", "nowhere.json"}), 66, {"nowhere.json"});
}

TEST_CASE("a missing data file is reported as missing") {
  const Scratch scratch;
  check_refused(scratch, train_changed(scratch, "words.txt", "worts.txt"), 66, {"worts.txt"});
}

TEST_CASE("an empty data file is refused") {
  const Scratch scratch;
  scratch.write("empty.txt", "");
  check_refused(scratch, train_with_sets(scratch, {"dataset.train=empty.txt"}), 65, {"empty.txt"});
}

TEST_CASE("a split without examples is refused before training") {
  const Scratch scratch;
  check_refused(scratch, train_with_sets(scratch, {"dataset.train_folds=[7]"}), 65, {"train"});
}

TEST_CASE("features that are not numbers are refused with line and column") {
  const Scratch scratch;
  write_small_experiment(scratch);
  scratch.write("nan.txt", "1 0 0 a 1 1 0 0\n1 0 1 b 0 0 nan 0\n");
  check_refused(scratch, scratch.sculpt({"train", "small.json", "--set", "dataset.train=nan.txt"}),
                65, {"nan.txt:2:13: ", "nan"});
}

TEST_CASE("an experiment without a dataset is refused") {
  const Scratch scratch;
  scratch.write("none.json", "{\"features\": \"chain\"}");
  check_refused(scratch, scratch.sculpt({"train", "none.json"}), 78, {"dataset"});
}

TEST_CASE("components that do not fit together are refused at bind") {
  const Scratch scratch;
  check_refused(scratch, train_with_sets(scratch, {"features=multiclass"}), 78, {"multiclass"});
}

TEST_CASE("unknown commands and options are wrong usage") {
  const Scratch scratch;
  const Outcome command = scratch.sculpt({"trian"});
  CHECK(command.exit == 64);
  CHECK(command.err.find("\"train\"") != std::string::npos);
  check_refused(scratch, scratch.sculpt({"train", "--frobnicate"}), 64,
                {"there is no option --frobnicate; see sculpt train --help"});
  check_refused(scratch, scratch.sculpt({"predict", "run", "data.txt", "--score"}), 64,
                {"there is no option --score, did you mean --scores?"});
  check_refused(scratch, scratch.sculpt({"predict", "run", "data.txt", "out.txt"}), 64,
                {"there are too many arguments; write: sculpt predict MODEL DATA [options]"});
  CHECK(scratch.sculpt({"train"}).exit == 64);
  CHECK(scratch.sculpt({}).exit == 64);
}

TEST_CASE("every command prints its help on stdout") {
  const Scratch scratch;
  for (const char* command : {"train", "predict", "evaluate", "describe"}) {
    const Outcome outcome = scratch.sculpt({command, "--help"});
    CHECK(outcome.exit == 0);
    CHECK(outcome.out.find("Usage: sculpt " + std::string(command)) == 0);
  }
  CHECK(scratch.sculpt({"--help"}).exit == 0);
  CHECK(scratch.sculpt({"--version"}).out.find("sculpt 0.") == 0);
}
