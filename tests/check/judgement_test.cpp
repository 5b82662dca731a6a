// sculpt check goes beyond the experiments that it gets, and says what they cannot show.
#include <doctest/doctest.h>

#include "check/check_outcome.hpp"

using namespace sculpt::test;

namespace {

// Returns the lines of a test as one text.
std::string lines_of(const CheckOutcome& outcome, const std::string& test) {
  return outcome.test(test)["reasons"].dump();
}

// Writes an experiment with a mutant of segments.cpp. `text` is escaped for JSON.
std::string write_segments(const Scratch& scratch, const std::string& mutant,
                           const std::string& text) {
  scratch.write("segments.json", R"({"dataset": {"use": "segments", "train": {"text": ")" + text +
                                     R"("}}, "features": "segments", "loss": "segments",
                                       "oracle": "segments", "solver": "n_slack",
                                       "plugin_path": [")" +
                                     SCULPT_FAULTY_PLUGINS + "/" + mutant + "\"]}");
  return (scratch / "segments.json").string();
}

}  // namespace

TEST_CASE("check: the report says what the experiments of a library cannot show") {
  const CheckOutcome outcome = run_check({mutant_library("segments_correct")});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(outcome.json["noted"] == 1);
  CHECK(outcome.test("experiments.gaps")["verdict"] == "note");
  const std::string gaps = lines_of(outcome, "experiments.gaps");
  CHECK(
      contains(gaps, "cannot show: a fault where a truth is exactly at the limit dataset.longest"));
  CHECK(contains(gaps, "; add an example whose truth needs more to the experiment"));
  CHECK(outcome.test("experiments.limits")["verdict"] == "pass");
  const std::string limits = lines_of(outcome, "experiments.limits");
  CHECK(contains(limits, "cannot show: a fault only in outputs of other sizes than 0 to 9 and 13"));
  CHECK(contains(limits, "cannot show: a fault only in labels above 3; add examples"));
  CHECK(contains(limits, "cannot show: a fault in reading examples without a truth"));
  for (const Json& test : outcome.json["tests"]) CHECK_FALSE(test.contains("facts"));
}

TEST_CASE("check: what the experiments cannot show is a failure only with --strict") {
  CHECK(run_check({mutant_library("segments_correct"), "--strict"}).exit == 1);
  const CheckOutcome complete = run_check({mutant_library("correct"), "--strict"});
  CHECK(complete.exit == 0);
  CHECK(complete.test("experiments.gaps")["verdict"] == "pass");
  CHECK(contains(lines_of(complete, "experiments.limits"), "labels above 2"));
}

TEST_CASE("check: components, sizes and equal sizes that no experiment has are named") {
  const auto gaps = [](const std::string& mutant) {
    return lines_of(run_check({mutant_library(mutant), "--level", "1"}), "experiments.gaps");
  };
  CHECK(contains(gaps("segments_unused"), "any fault of org.test.unused, because no experiment"));
  CHECK(contains(gaps("segments_one_example"), "two examples of equal size and different content"));
  const Scratch scratch;
  scratch.write("webs.json", R"({
    "dataset": {"use": "graph", "train": {"text":
      "graph one\na 1:1\nb 2:1\na 1:0.5 2:1\nedge 1 2\nedge 3 2\ngraph two\nb 2:2\na 1:1\nedge 2 1\n"}},
    "features": "graph", "loss": "hamming", "oracle": "enumerate", "solver": "n_slack"})");
  const CheckOutcome graph = run_check({(scratch / "webs.json").string()});
  CHECK(
      contains(lines_of(graph, "experiments.gaps"), "because all that were tested have 2 and 3 "));
}

TEST_CASE("check: an extension that no test calls is named") {
  const CheckOutcome outcome = run_check({std::string(SCULPT_BUILT_PLUGINS) + "/alignment.so"});
  CHECK(contains(lines_of(outcome, "experiments.gaps"),
                 "a fault of org.sculpt.homolog in sculpt.k-best/"));
  CHECK_FALSE(contains(lines_of(outcome, "experiments.gaps"), "a fault of org.sculpt.alignment"));
}

TEST_CASE("check: the shape of outputs that a dataset gives has a test of its own") {
  const CheckOutcome outcome = run_check({mutant_library("shape_of_words"), "--level", "1"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(outcome.test("dataset.shape")["verdict"] == "pass");
  CHECK_FALSE(contains(lines_of(outcome, "experiments.gaps"), "output-shape"));
}

TEST_CASE("check: if only some tests are run, the experiments are not judged") {
  const CheckOutcome outcome = run_check({mutant_library("segments_correct"), "--only", "oracle"});
  for (const Json& test : outcome.json["tests"]) {
    CHECK_FALSE(test["name"].get<std::string>().starts_with("experiments."));
  }
}

TEST_CASE("check: if a test fails, the experiments are not judged") {
  const CheckOutcome outcome = run_check({mutant_library("segments_lower_end")});
  CHECK(outcome.test("experiments.gaps")["verdict"] == "skip");
  CHECK(contains(lines_of(outcome, "experiments.gaps"), "because tests have failed"));
}

TEST_CASE("check: a task whose outputs all have one size can pass --strict") {
  const CheckOutcome outcome = run_check({mutant_library("segments_of_one_size"), "--strict"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(contains(lines_of(outcome, "experiments.limits"),
                 "other sizes than 2 labels, because all outputs have this one size"));
  CHECK(run_check({mutant_library("segments_two_of_equal_size"), "--strict"}).exit == 0);
}

TEST_CASE("check: an experiment with two classes can pass --strict") {
  const Scratch scratch;
  scratch.write("two.json", R"({
    "dataset": {"use": "svmlight", "train": {"text": "+1 1:1\n-1 1:-1 2:1\n+1 1:0.5 2:1\n"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "enumerate", "solver": "n_slack"})");
  const CheckOutcome outcome = run_check({(scratch / "two.json").string(), "--strict"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
}

// Level 1 does not search for the value of a parameter at which a truth is exactly at its limit.
TEST_CASE("check: a limit that level 1 does not search for is named, and level 2 finds it") {
  const Scratch scratch;
  scratch.write("limit.json", R"({
    "dataset": {"use": "segments", "longest": 4, "train": {"text": "A:1 a:0.5 a:1\nB:1\nA:-1 B:0.5\n"}},
    "features": "segments", "loss": "segments", "oracle": "segments", "solver": "n_slack",
    "plugin_path": [")" + std::string(SCULPT_FAULTY_PLUGINS) +
                                  R"(/segments_correct"]})");
  const std::string experiment = (scratch / "limit.json").string();
  const std::string open = "a truth is exactly at the limit dataset.longest, because the search";
  const CheckOutcome first = run_check({experiment, "--level", "1"});
  CHECK(first.exit == 0);
  CHECK(contains(lines_of(first, "variants.parameters"), "not found: the value with a truth"));
  CHECK(contains(lines_of(first, "experiments.limits"), open));
  const CheckOutcome second = run_check({experiment, "--level", "2"});
  CHECK(contains(lines_of(second, "variants.parameters"), "dataset.longest = 1, 2, 8, 3"));
  CHECK_FALSE(contains(lines_of(second, "experiments.limits"), open));
}

TEST_CASE("check: a change in which a call does not end is a fault") {
  const CheckOutcome outcome = run_check({mutant_library("segments_hang_at_lower_end"), "--only",
                                          "variants.parameters", "--time-limit", "2"});
  CHECK(outcome.exit == 1);
  CHECK(outcome.test("variants.parameters")["verdict"] == "fail");
  const std::string lines = lines_of(outcome, "variants.parameters");
  CHECK(contains(lines, "with dataset.longest = 1:"));
  CHECK(contains(lines, "was still inside of argmax"));
}

TEST_CASE("check: a slow change is left out, and is tried again in the next experiment") {
  const CheckOutcome outcome = run_check(
      {mutant_library("segments_slow_once"), "--only", "variants.parameters", "--time-limit", "2"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  std::vector<std::string> lines;
  for (const Json& test : outcome.json["tests"]) {
    if (test["name"] == "variants.parameters") lines.push_back(test["reasons"].dump());
  }
  REQUIRE(lines.size() == 2);
  CHECK(contains(lines[0], "left out, because of the time limit (--time-limit): dataset.quick"));
  CHECK(contains(lines[1], "dataset.quick = false"));
  CHECK_FALSE(contains(lines[1], "left out"));
}

TEST_CASE("check: a fault of a loss of another library is not one of the oracle") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const CheckOutcome outcome =
      run_check({(scratch / "small.json").string(), "--only", "variants.losses", "--set",
                 Json{std::string(SCULPT_FAULTY_PLUGINS) + "/zero_one_of_truth"}.dump().insert(
                     0, "plugin_path=")});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(contains(lines_of(outcome, "variants.losses"),
                 "left out: loss = zero_one, because the loss itself is at fault: loss.values: "
                 "zero_one: the loss of the truth against itself"));
}

TEST_CASE("check: a loss of another library that hangs is slow, and no fault") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const CheckOutcome outcome = run_check(
      {(scratch / "small.json").string(), "--only", "variants.losses", "--time-limit", "2", "--set",
       "plugin_path=" + Json{std::string(SCULPT_FAULTY_PLUGINS) + "/zero_one_hangs"}.dump()});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(contains(lines_of(outcome, "variants.losses"),
                 "left out, because of the time limit (--time-limit): loss = zero_one"));
}

TEST_CASE("check: a crash while facts are gathered belongs to the test that needs them") {
  const CheckOutcome outcome =
      run_check({mutant_library("crashes_in_facts"), "--only", "variants.data"});
  CHECK(outcome.exit == 1);
  CHECK(outcome.test("variants.data")["verdict"] == "crash");
  CHECK(contains(lines_of(outcome, "variants.data"), "crashed in argmax"));
  CHECK(
      contains(outcome.test("variants.data")["repeat"].get<std::string>(), "--only variants.data"));
  CHECK(run_check({mutant_library("crashes_in_facts"), "--only", "oracle.exact"}).exit == 0);
}

TEST_CASE("check: the report lists the values of parameters that were tried") {
  const Scratch scratch;
  const std::string path = write_segments(scratch, "segments_correct", "A:1 a:0.5 a:1\\nB:1\\n");
  const CheckOutcome outcome = run_check({path, "--only", "variants.parameters"});
  const std::string lines = lines_of(outcome, "variants.parameters");
  CHECK(outcome.test("variants.parameters")["verdict"] == "pass");
  CHECK(contains(lines, "tried: dataset.longest = 1, 2, 8, 3"));  // a truth has a segment of 3
  const CheckOutcome chain =
      run_check({std::string(SCULPT_BUILT_PLUGINS) + "/chain.so", "--only", "variants.parameters"});
  const std::string choices = lines_of(chain, "variants.parameters");
  CHECK(contains(choices, "features.bias = false; "));
  CHECK(contains(choices, "refused, which is no fault: features.nonnegative = "));
}

TEST_CASE("check: a text that the dataset refuses is no fault") {
  const CheckOutcome outcome =
      run_check({mutant_library("bag_correct"), "--only", "variants.data"});
  CHECK(outcome.exit == 0);
  CHECK(outcome.test("variants.data")["verdict"] == "skip");
}

TEST_CASE("check: changes of an experiment whose tests fail are not made") {
  const CheckOutcome outcome = run_check(
      {mutant_library("value_without_loss"), "--level", "1", "--only", "oracle.value,variants"});
  CHECK(outcome.test("oracle.value")["verdict"] == "fail");
  CHECK(contains(lines_of(outcome, "variants.data"), "because other tests of this experiment"));
}

TEST_CASE("check: pairs of examples of equal size show what is kept by size") {
  const Scratch scratch;
  const auto verdict = [&](const std::string& mutant, const std::string& text) {
    const std::string path = write_segments(scratch, mutant, text);
    return run_check({path, "--only", "oracle.equal_size"}).test("oracle.equal_size");
  };
  const std::string pair = "B:1\\nA:-1 B:0.5\\nB:2 B:3\\n";
  CHECK(verdict("segments_correct", pair)["verdict"] == "pass");
  const Json found = verdict("segments_size_cache", pair);
  CHECK(found["verdict"] == "fail");
  CHECK(contains(found["reasons"].dump(), "example 2, truth "));  // the second of its size
  CHECK(verdict("segments_size_cache", "B:1\\nA:-1 B:0.5\\n")["verdict"] == "skip");
}

TEST_CASE("check: examples with many outputs are still compared with all of them") {
  const Scratch scratch;
  const std::string nine = "a:1 b:2 c:-1 a:0.5 b:1 c:2 a:-1 b:1 c:1";  // 19683 outputs
  const auto verdict = [&](const std::string& mutant) {
    const std::string path = write_tagger(scratch, mutant, nine, 1);
    return run_check({path, "--only", "oracle.large"}).test("oracle.large");
  };
  const Json correct = verdict("correct");
  CHECK(correct["verdict"] == "pass");
  CHECK(correct["brute_forced"] == correct["cases"]);
  CHECK(verdict("nine_or_odd")["verdict"] == "fail");
}

TEST_CASE("check: answers about long chains are compared with the maximum of the factor graph") {
  const Scratch scratch;
  std::string word;  // of 12 letters with 3 labels
  for (int t = 0; t < 12; ++t) {
    word += "1 0 " + std::to_string(t) + " " + "abc"[t % 3] + (t < 11 ? " 1 " : " 0 ") +
            (t % 2 == 0 ? "1" : "0") + "\n";
  }
  const Json experiment = {{"dataset", {{"use", "letters"}, {"train", {{"text", word}}}}},
                           {"features", "chain"},
                           {"loss", "hamming"},
                           {"oracle", "viterbi"},
                           {"solver", "n_slack"}};
  scratch.write("long.json", experiment.dump());
  const CheckOutcome outcome =
      run_check({(scratch / "long.json").string(), "--only", "oracle.exact"});
  CHECK(outcome.exit == 0);
  CHECK(contains(lines_of(outcome, "oracle.exact"), "compared with the maximum of a factor graph"));
}
