// sculpt train --task: each task trains from a file of data alone, and its experiment runs again.

#include <doctest/doctest.h>

#include <set>

#include "command/host_process.hpp"
#include "command/small_task_data.hpp"

using namespace sculpt::test;

namespace {

const char* const class_rows = "1 1:2\n1 1:1\n2 1:4\n2 1:2\n";

Json config_json_of(const Scratch& scratch, const std::string& run) {
  return Json::parse(scratch.read(run + "/config.json"));
}

}  // namespace

TEST_CASE("each task trains from data alone, and its experiment runs again to the same model") {
  const Scratch scratch;
  std::set<std::string> trained;
  for (const SmallTask& small : small_tasks()) {
    CAPTURE(small.task);
    CAPTURE(small.text);
    trained.insert(small.task);
    scratch.write("data.txt", small.text);
    const Outcome outcome = scratch.sculpt({"train", "--task", small.task, "data.txt", "--test",
                                            "data.txt", "--output", "run", "--force"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    CHECK(contains(outcome.err, "task " + small.task + ": data.txt is read as "));
    const Json config = config_json_of(scratch, "run");
    CHECK(config["dataset"]["use"] == small.dataset);
    CHECK(config["name"] == small.task + "-data");
    CHECK(scratch.finished("run")["certified"] == true);
    CHECK(scratch.finished("run").contains("test"));
    CHECK(contains(outcome.out, "\n  next            sculpt predict "));

    const Outcome again =
        scratch.sculpt({"train", "run/config.json", "--output", "again", "--force"});
    INFO(again.err);
    REQUIRE(again.exit == 0);
    CHECK(scratch.read("again/model.sculpt") == scratch.read("run/model.sculpt"));
  }
  // A new task needs data here.
  const Outcome unknown = scratch.sculpt({"train", "--task", "no-such-task", "data.txt"});
  for (const std::string& task : trained) CHECK(contains(unknown.err, "\n  " + task + " "));
  CHECK(std::count(unknown.err.begin(), unknown.err.end(), '\n') ==
        static_cast<std::ptrdiff_t>(trained.size()) + 2);
}

TEST_CASE("the default C of a task is the rule of SVM-light, unless --set gives another") {
  // Scaled to largest |x| 1 the rows are 0.5, 0.25, 1 and 0.5: mean x^2 is 1.5625 / 4.
  const Scratch scratch;
  scratch.write("rows.txt", class_rows);
  const std::vector<std::string> command{"train", "--task", "multiclass", "rows.txt"};
  const auto C_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    more.insert(more.end(), {"--output", "run", "--force"});
    const Outcome outcome = scratch.sculpt(more);
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    return config_json_of(scratch, "run")["solver"]["C"].get<double>();
  };
  CHECK(C_with({}) == 51);  // 5 * 4 / 0.390625 = 51.2, with two digits
  // Without scaling mean x^2 is 25 / 4.
  CHECK(C_with({"--set", "dataset.scaling=none"}) == 3.2);
  CHECK(C_with({"--set", "solver.C=7"}) == 7);
  CHECK(C_with({"--set", "solver=one_slack"}) == 51);
  CHECK(C_with({"--set", R"(solver={"use": "one_slack", "C": 8})"}) == 8);
}

TEST_CASE(
    "test data of a task may have new labels: they count as wrong, and dummy labels predict") {
  const Scratch scratch;
  // Of two guesses, only the first can be right.
  const std::vector<std::vector<std::string>> cases = {
      {"multiclass", "1 1:2\n1 1:1\n2 2:4\n2 2:2\n", "1 1:1\n7 2:1\n", "0 1:1\n0 2:1\n", "1\n2\n"},
      {"multiclass", "a\txxxxx\nb\tyyyyy\n", "a\txxxxx\nc\tyyyyy\n", "0\txxxxx\n0\tyyyyy\n",
       "a\nb\n"},
      {"tagging", "x a\n\ny b\n", "x a\n\ny c\n", "x 0\n\ny 0\n", "x 0 a\n\ny 0 b\n\n"}};
  for (const auto& words : cases) {
    CAPTURE(words[1]);
    scratch.write("train.txt", words[1]);
    scratch.write("test.txt", words[2]);
    scratch.write("dummy.txt", words[3]);
    const Outcome trained = scratch.sculpt({"train", "--task", words[0], "train.txt", "--test",
                                            "test.txt", "--output", "run", "--force"});
    INFO(trained.err);
    REQUIRE(trained.exit == 0);
    CHECK(scratch.finished("run")["test"]["loss"] == 0.5);
    CHECK(contains(trained.err, "has a label that does not occur in the training data"));
    CHECK(contains(trained.err, "; every guess for it counts as wrong"));
    const Outcome predicted = scratch.sculpt({"predict", "run", "dummy.txt"});
    CHECK(predicted.exit == 0);
    CHECK(predicted.out == words[4]);
  }
  // Of the labels of two rows, two are found, one is missed: F1 is 2 * 2 / (2 * 2 + 1).
  scratch.write("train.txt", "1 1:1\n2 2:1\n- 3:1\n1,2 1:1 2:1\n");
  scratch.write("test.txt", "1,5 1:1\n2 2:1\n");
  const Outcome trained = scratch.sculpt({"train", "--task", "multilabel", "train.txt", "--test",
                                          "test.txt", "--output", "run", "--force"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  CHECK(scratch.finished("run")["test"]["micro_f1"] == doctest::Approx(0.8));
  CHECK(contains(trained.err,
                 "micro_f1 and macro_f1 count it as missed, the loss and its metrics "
                 "leave it out"));
}

TEST_CASE("a task says at which gap it ends, and how to go on to a smaller one") {
  const Scratch scratch;
  scratch.write(
      "trees.txt",
      "(S (NP (D the) (N cat)) (V sleeps))\n(S (NP (N cats)) (VP (V see) (NP (N cats))))\n"
      "(S (NP (N cats)) (NP (N see)) (V cats))\n");
  const Outcome trained =
      scratch.sculpt({"train", "--task", "parsing", "trees.txt", "--output", "run"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  CHECK(
      contains(trained.err, "solver n_slack: until at most 3 % of the objective is left to gain"));
  // The command in its own words.
  const std::string end = ": from here to a smaller gap\n";
  const std::size_t to = trained.out.find(end);
  REQUIRE(to != std::string::npos);
  const std::size_t from = trained.out.rfind("sculpt train ", to);
  std::istringstream words(trained.out.substr(from, to - from));
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word == "OTHER" ? "other" : word);
  command.erase(command.begin());
  const Outcome more = scratch.sculpt(command);
  INFO(more.err);
  CHECK(more.exit == 0);
  CHECK(scratch.finished("other")["relative_gap"].get<double>() <= 0.003);
  CHECK(scratch.finished("other")["oracle_calls"] <= scratch.finished("run")["oracle_calls"]);
  // A task with a small gap needs no such command.
  scratch.write("rows.txt", class_rows);
  const Outcome rows =
      scratch.sculpt({"train", "--task", "multiclass", "rows.txt", "--output", "rows"});
  CHECK(contains(rows.err, "solver n_slack: until at most 0.1 % of the objective is left to gain"));
  CHECK_FALSE(contains(rows.out, end));
}

TEST_CASE("no C is chosen for solvers that minimize nothing") {
  const Scratch scratch;
  scratch.write("rows.txt", class_rows);
  const Outcome outcome = scratch.sculpt({"train", "--task", "multiclass", "rows.txt", "--set",
                                          "solver.use=perceptron", "--output", "run"});
  INFO(outcome.err);
  CHECK(outcome.exit == 3);  // proves no gap
  CHECK_FALSE(contains(outcome.err, "\nC = "));
}

TEST_CASE("a run of a task is in runs/TASK-FILE, is not replaced, and resumes") {
  const Scratch scratch;
  scratch.write("rows.txt", class_rows);
  const std::vector<std::string> command{"train", "--task", "multiclass", "rows.txt"};
  REQUIRE(scratch.sculpt(command).exit == 0);
  const std::string model = scratch.read("runs/multiclass-rows/model.sculpt");
  const Outcome again = scratch.sculpt(command);
  CHECK(again.exit == exit_cannot_create);
  const Outcome resumed = scratch.sculpt({"train", "--task", "multiclass", "rows.txt", "--resume"});
  INFO(resumed.err);
  CHECK(resumed.exit == 0);
  CHECK(scratch.read("runs/multiclass-rows/model.sculpt") == model);
}

TEST_CASE("--task refuses unknown tasks, missing files and options that need it") {
  const Scratch scratch;
  scratch.write("rows.txt", class_rows);
  scratch.write("x.json", "{}");
  check_refused(scratch, scratch.sculpt({"train", "--task", "rankin", "rows.txt"}), exit_usage,
                {"there is no task 'rankin', did you mean ranking?", "\n  tagging "});
  check_refused(scratch, scratch.sculpt({"train", "--task", "ranking"}), exit_usage,
                {"sculpt train --task ranking TRAIN"});
  check_refused(scratch, scratch.sculpt({"train", "--task", "ranking", "none.txt"}), exit_missing,
                {"none.txt"});
  check_refused(scratch,
                scratch.sculpt({"train", "--task", "multiclass", "rows.txt", "--test", "none.txt"}),
                exit_missing, {"--test none.txt: there is no such file"});
  check_refused(scratch, scratch.sculpt({"train", "--task", "multiclass", "/dev/stdin"}),
                exit_usage, {"a pipe can be read only once"});
  check_refused(scratch, scratch.sculpt({"train", "x.json", "--tune"}), exit_usage,
                {"--tune needs --task", "sculpt sweep"});
  check_refused(scratch, scratch.sculpt({"train", "x.json", "--test", "rows.txt"}), exit_usage,
                {"--test needs --task"});
}

TEST_CASE("test data without labels measure nothing, and train says so") {
  const Scratch scratch;
  scratch.write("rows.txt", "1 1:1\n2 1:-1\n1 1:2\n2 1:-2\n");
  scratch.write("test.txt", "1:1\n1:-1\n");
  const std::string warning = "nothing is measured, because no example has a truth";
  const std::vector<std::string> words = {"train",  "--task",   "multiclass", "rows.txt",
                                          "--test", "test.txt", "--output",   "run"};
  const Outcome trained = scratch.sculpt(words);
  INFO(trained.err);
  CHECK(trained.exit == 0);
  CHECK(contains(trained.out, "0 examples; left out 2 unlabelled\n"));
  CHECK(contains(trained.out, "warning: " + warning));
  CHECK(scratch.finished("run")["test"]["warning"] == warning);
  std::vector<std::string> quiet = words;
  quiet.insert(quiet.end(), {"--force", "--quiet"});
  CHECK(contains(scratch.sculpt(quiet).err, "warning: test: " + warning));
}

TEST_CASE(
    "the target of clustering is one that its oracle reaches, and the oracle is named if not") {
  const Scratch scratch;
  scratch.write(
      "pairs.txt",
      "1 0 1 -1 1:3 2:3\n1 0 2 1 1:4 2:5\n1 0 3 -1 1:3 2:1\n1 0 4 1 1:1 2:3\n1 1 2 -1 1:0 2:3\n"
      "1 1 3 -1 1:3 2:4\n1 1 4 -1 1:0 2:5\n1 2 3 -1 1:3 2:2\n1 2 4 1 1:6 2:1\n1 3 4 -1 1:4 2:0\n"
      "2 0 1 -1 1:4 2:0\n2 0 2 -1 1:3 2:5\n2 0 3 -1 1:1 2:3\n2 0 4 -1 1:5 2:0\n"
      "2 1 2 1 1:5 2:1\n2 1 3 1 1:4 2:3\n2 1 4 -1 1:4 2:1\n2 2 3 1 1:3 2:1\n2 2 4 -1 1:5 2:1\n2 3 "
      "4 -1 1:3 2:2\n"
      "3 0 1 -1 1:1 2:5\n3 0 2 -1 1:5 2:2\n3 0 3 -1 1:0 2:5\n3 0 4 1 1:3 2:5\n3 1 2 -1 1:5 2:4\n"
      "3 1 3 -1 1:3 2:4\n3 1 4 -1 1:5 2:1\n3 2 3 1 1:3 2:2\n3 2 4 -1 1:4 2:3\n3 3 4 -1 1:4 2:3\n");
  const std::vector<std::string> words = {"train",     "--task",   "clustering",
                                          "pairs.txt", "--output", "run"};
  const Outcome trained = scratch.sculpt(words);
  INFO(trained.out);
  CHECK(trained.exit == 0);
  std::vector<std::string> strict = words;
  strict.insert(strict.end(), {"--force", "--set", "solver.relative_gap=0.001"});
  const Outcome missed = scratch.sculpt(strict);
  INFO(missed.out);
  CHECK(missed.exit == 3);
  CHECK(contains(missed.out, "the bounds of clustering_lp allow no smaller gap\n"));
  CHECK(contains(missed.out, "tighter bounds (`sculpt describe clustering` lists those that fit)"));
}
