// Data from pipes: predict and evaluate with -, /dev/stdin and named pipes; an output for each
// line, as soon as it has come.

#include <doctest/doctest.h>

#include <algorithm>

#include "command/host_process.hpp"
#include "packed_text.hpp"

using namespace sculpt::test;

namespace {

const std::string piped_rows = R"({
    "dataset": {"use": "svmlight", "train": {"text": "1 1:1\n2 2:1\n3 3:1\n"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 100}})";

const std::string piped_tokens = R"({
    "dataset": {"use": "conll", "train": {"text": "a A X\nb B Y\n\nb B Y\nc C X\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 100}})";

void train_for_pipe(const Scratch& scratch, const std::string& experiment) {
  scratch.write("x.json", experiment);
  const Outcome outcome = scratch.sculpt({"train", "x.json", "--output", "run"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
}

// Runs a line of bash. $S is the program.
Outcome run_bash(const Scratch& scratch, const std::string& script) {
  return scratch.run({"timeout", "60", "bash", "-c", "S='" SCULPT_TEST_BINARY "'; " + script});
}

}  // namespace

TEST_CASE("predict reads -, /dev/stdin and <(...), whatever the dataset, packed or not") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {piped_rows, "1:1\n2:1\n\n# no row\n3:1"},
      {piped_tokens, "a A\nb B\n\n\nc C\n"},
      {R"({"dataset": {"use": "svmrank", "train": {"text": "1 qid:1 1:1\n0 qid:1 2:1\n"}},
       "features": "ranking", "loss": "pair_error", "oracle": "ranking",
       "solver": {"use": "n_slack", "C": 10}})",
       "qid:1 1:1\nqid:1 2:1\nqid:2 1:1\n"},
      {R"({"dataset": {"use": "svmlight_set", "train": {"text": "+1 1:1\n-1 2:1\n"}},
       "features": "contingency", "loss": "f_beta", "oracle": "contingency",
       "solver": {"use": "n_slack", "C": 10}})",
       "1:1\n2:1\n1:2\n"},
      {R"({"dataset": {"use": "mlsvml", "train": {"text": "1,2 1:1\n- 2:1\n2 3:1\n"}},
       "features": "multilabel", "loss": "hamming", "oracle": "enumerate",
       "solver": {"use": "n_slack", "C": 10}})",
       "1:1\n- 2:1\r\n3:2\n"}};
  for (const auto& [experiment, text] : cases) {
    const Scratch scratch;
    train_for_pipe(scratch, experiment);
    scratch.write("data.txt", text);
    scratch.write("data.gz", gzip(text));
    const Outcome of_file = scratch.sculpt({"predict", "run", "data.txt"});
    INFO(of_file.err);
    REQUIRE(of_file.exit == 0);
    REQUIRE_FALSE(of_file.out.empty());
    for (const std::string script :
         {"cat data.txt | $S predict run -", "$S predict run - < data.txt",
          "cat data.txt | $S predict run /dev/stdin", "$S predict run <(cat data.txt)",
          "cat data.gz | $S predict run -",
          "(head -c 5 data.txt; sleep .2; tail -c +6 data.txt) | "
          "$S predict run -"}) {
      CAPTURE(script);
      const Outcome outcome = run_bash(scratch, script);
      INFO(outcome.err);
      CHECK(outcome.exit == 0);
      CHECK(outcome.out == of_file.out);
    }
  }
}

TEST_CASE("predict prints a line for each line of a pipe before it reads the next one") {
  const Scratch scratch;
  train_for_pipe(scratch, piped_rows);
  // The next row is written only when the output of the last one has come.
  const Outcome outcome = run_bash(scratch, R"(coproc P { "$S" predict run -; }
      for row in 1:1 3:1 2:1; do echo "$row" >&${P[1]}; read -t 20 -u ${P[0]} label || exit 9
      echo "$row is $label"; done; eval "exec ${P[1]}>&-"; wait)");
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out == "1:1 is 1\n3:1 is 3\n2:1 is 2\n");
}

TEST_CASE("a model with a kernel predicts a pipe line by line, too") {
  const Scratch scratch;
  Json experiment = Json::parse(piped_rows);
  experiment["kernel"] = {{"use", "rbf"}, {"gamma", 0.5}};
  train_for_pipe(scratch, experiment.dump());
  const Outcome outcome =
      run_bash(scratch, "(echo 1:1; sleep .1; echo; echo 3:1) | $S predict run -");
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out == "1\n3\n");
}

TEST_CASE("a model with a kernel predicts a pipe whose first lines have no example") {
  const Scratch scratch;
  Json experiment = Json::parse(piped_rows);
  experiment["kernel"] = {{"use", "rbf"}, {"gamma", 0.5}};
  train_for_pipe(scratch, experiment.dump());
  const Outcome outcome = run_bash(scratch, R"((echo '# rows of today'; sleep .1; echo 1:1; sleep .1
      printf '# more\n\n'; sleep .1; echo 3:1) | $S predict run -)");
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out == "1\n3\n");
  // A file or a pipe without any row is what it is for other models.
  const Outcome comment = run_bash(scratch, "echo '# no row' | $S predict run - --scores");
  CHECK(comment.exit == 0);
  CHECK(comment.err.empty());
  scratch.write("empty.txt", "# no row\n");
  const Outcome file = scratch.sculpt({"predict", "run", "empty.txt"});
  CHECK(file.exit == exit_data);
  CHECK(contains(file.err, "empty.txt: contains no examples"));
  const Outcome measured = run_bash(scratch, "echo '# no row' | $S evaluate run -");
  CHECK(measured.exit == exit_data);
  CHECK(contains(measured.err, "-: contains no labelled example"));
}

TEST_CASE("predict prints a sentence of conll when its blank line has come") {
  const Scratch scratch;
  train_for_pipe(scratch, piped_tokens);
  const Outcome outcome = run_bash(scratch, R"(coproc P { "$S" predict run - 2>/dev/null; }
      for n in 1 2; do printf 'a A\nb B\n\n' >&${P[1]}; for k in 1 2 3; do
      read -t 20 -u ${P[0]} line || exit 9; echo "$line"; done; done; eval "exec ${P[1]}>&-"; wait)");
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out == "a A X\nb B Y\n\na A X\nb B Y\n\n");
}

TEST_CASE(
    "an error in line 3 of a pipe: the outputs of lines 1 and 2 are there, and -:3: is named") {
  const Scratch scratch;
  train_for_pipe(scratch, piped_rows);
  const Outcome outcome = run_bash(scratch, R"(printf '1:1\n2:1\n3:x\n1:1\n' | $S predict run -)");
  CHECK(outcome.exit == exit_data);
  CHECK(outcome.out == "1\n2\n");
  CHECK(outcome.err ==
        "sculpt: svmlight: -:3:3: 'x' is not a value; a finite number is expected\n");
  const Outcome slow = run_bash(
      scratch,
      R"((echo 1:1; sleep .2; echo 2:1; sleep .2; echo 3:x; sleep .2) | $S predict run -)");
  CHECK(slow.exit == exit_data);
  CHECK(slow.out == "1\n2\n");
  CHECK(contains(slow.err, "svmlight: -:3:3: 'x' is not a value"));
  const Outcome whole =
      run_bash(scratch, R"(printf '1 1:1\n2:1\n3:x\n' | $S evaluate run /dev/stdin)");
  CHECK(whole.exit == exit_data);
  CHECK(contains(whole.err, "svmlight: /dev/stdin:3:3: 'x' is not a value"));
}

TEST_CASE("an empty pipe has no outputs, and a file without examples is refused") {
  const Scratch scratch;
  train_for_pipe(scratch, piped_rows);
  for (const std::string script :
       {"$S predict run - < /dev/null", R"(printf '\n# only a comment\n' | $S predict run -)"}) {
    const Outcome outcome = run_bash(scratch, script);
    CHECK(outcome.exit == 0);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.empty());
  }
  scratch.write("empty.txt", "\n# nothing\n");
  const Outcome file = scratch.sculpt({"predict", "run", "empty.txt"});
  CHECK(file.exit == exit_data);
  CHECK(contains(file.err, "empty.txt: contains no examples"));
}

TEST_CASE("names of columns and warnings are printed once for all lines of a pipe") {
  const Scratch scratch;
  train_for_pipe(scratch, piped_rows);
  const Outcome scores = run_bash(
      scratch,
      R"((echo 1:1 9:1; sleep .2; echo 2:1 9:1; sleep .2; echo 3:1) | $S predict run - --scores)");
  CHECK(scores.exit == 0);
  CHECK(scores.out.starts_with("# 1 2 3\n"));
  CHECK(std::count(scores.out.begin(), scores.out.end(), '#') == 1);
  CHECK(std::count(scores.out.begin(), scores.out.end(), '\n') == 4);
  CHECK(scores.err ==
        "warning: svmlight: -: ignored 1 value of features above 3, which do not occur in the "
        "training data\n");
}

TEST_CASE("Ctrl-C ends predict while it waits for a pipe, and what it printed stays") {
  const Scratch scratch;
  train_for_pipe(scratch, piped_rows);
  const Outcome outcome = run_bash(scratch, R"(mkfifo in; "$S" predict run in > out & exec 3> in
      echo 1:1 >&3; until [ -s out ]; do sleep .02; done; kill -TERM $!; wait $!; echo $?; cat out)");
  INFO(outcome.err);
  CHECK(outcome.out == "143\n1\n");
}

TEST_CASE("predict ends when nobody reads its output any more") {
  const Scratch scratch;
  train_for_pipe(scratch, piped_rows);
  const Outcome outcome =
      run_bash(scratch, "yes 1:1 | $S predict run - | head -3; echo ${PIPESTATUS[1]}");
  CHECK(outcome.out == "1\n1\n1\n141\n");  // 128 + SIGPIPE, as of other programs
}

TEST_CASE("a long pipe in many pieces has the outputs of the file, also the random ones") {
  const Scratch scratch;
  train_for_pipe(scratch, R"({
    "dataset": {"use": "conll", "train": {"text": "a A X\nb B Y\n\nb B Y\nc C X\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi", "solver": {"use": "crf", "C": 1}})");
  std::string text;
  for (int k = 0; k < 300; ++k) text += k % 7 == 0 ? "\n" : k % 3 == 0 ? "a A\n" : "c B\n";
  scratch.write("data.txt", text);
  const Outcome of_file = scratch.sculpt({"predict", "run", "data.txt", "--sample", "2"});
  REQUIRE(of_file.exit == 0);
  const Outcome piped =
      run_bash(scratch,
               "(head -c 100 data.txt; sleep .1; tail -c +101 data.txt | head -c 500; "
               "sleep .1; tail -c +601 data.txt) | $S predict run - --sample 2");
  CHECK(piped.exit == 0);
  CHECK(piped.out == of_file.out);
}
