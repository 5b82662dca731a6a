// sculpt train --task: the format of the data is recognized, told, and refused if it is unclear.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

Outcome train_task(const Scratch& scratch, const std::string& task, const std::string& text,
                   const std::vector<std::string>& more = {}) {
  scratch.write("data.txt", text);
  std::vector<std::string> words{"train", "--task", task, "data.txt", "--output", "run", "--force"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

std::string dataset_of(const Scratch& scratch, const std::string& key) {
  return Json::parse(scratch.read("run/config.json"))["dataset"][key].get<std::string>();
}

}  // namespace

TEST_CASE("rows of attributes such as w=the are those of CRFsuite, also with as many columns") {
  const Scratch scratch;
  for (const std::string text : {"D\tw=the\nN\tw=cat\n\nD\tw=a\nN\tw=dog\n",
                                 "D\tw=the\tp=x\nN\tw=cat\tp=y\n\nD\tw=a\tp=x\n"}) {
    const Outcome outcome = train_task(scratch, "tagging", text);
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    CHECK(dataset_of(scratch, "use") == "crfsuite");
  }
  // One column without = makes it a table of words.
  const Outcome conll = train_task(scratch, "tagging", "a=1\tp=x\tD\nb=2\tp=y\tN\n\na\tp\tD\n");
  INFO(conll.err);
  CHECK(dataset_of(scratch, "use") == "conll");
}

TEST_CASE("data that fit two formats are refused with an option for each") {
  const Scratch scratch;
  // Whole numbers are amounts or symbols.
  const std::string image = "image one 2 2\n1 0\n0 1\n1 0\n0 1\n";
  check_refused(scratch, train_task(scratch, "grid", image), exit_data,
                {"\n  --set dataset.mode=values: ", "\n  --set dataset.mode=category: "});
  const Outcome values = train_task(scratch, "grid", image, {"--set", "dataset.mode=values"});
  INFO(values.err);
  CHECK(values.exit == 0);
  CHECK(dataset_of(scratch, "mode") == "values");
}

TEST_CASE("data of another task are refused with the name of that task") {
  const Scratch scratch;
  const std::string queries = "2 qid:1 1:1\n1 qid:1 1:0.5\n0 qid:1 2:1\n";
  check_refused(scratch, train_task(scratch, "multiclass", queries), exit_data,
                {"fit no format of the task multiclass", "--task ranking", "\n  svmlight: rows "});
  // The only dataset of the task refuses them itself.
  check_refused(scratch, train_task(scratch, "ranking", "(S (A a) (B b))\n"), exit_data,
                {"data.txt:1", "--task parsing"});
  const Outcome rows = train_task(scratch, "ranking", "1 1:1\n2 2:1\n");
  check_refused(scratch, rows, exit_data, {"--task multiclass or --task multilabel or --task set"});
  CHECK_FALSE(contains(rows.err, "--task graph"));
}

TEST_CASE("a fault in data of the right format comes without a hint to other tasks") {
  const Scratch scratch;
  const auto refusal = [&](const std::string& task, const std::string& text) {
    const Outcome outcome = train_task(scratch, task, text);
    CHECK(outcome.exit == exit_data);
    CHECK(contains(outcome.err, "data.txt:"));
    return outcome.err;
  };
  for (const std::string row :
       {"1 2:nan", "1 2:inf", "1 2:1e400", "1 2:1 1:1", "1 2:1 2:1", "1.5 2:1", "cat 2:1"}) {
    CAPTURE(row);
    const std::string text = "1 1:1\n2 2:1\n1 2:1\n" + row + "\n";
    const std::string multiclass = refusal("multiclass", text);
    CHECK(contains(multiclass, "data.txt:4"));
    CHECK_FALSE(contains(multiclass, "look like"));
    CHECK_FALSE(contains(refusal("multilabel", text), "look like"));
  }
}

TEST_CASE("labels that are words or missing are refused with their line") {
  const Scratch scratch;
  check_refused(
      scratch, train_task(scratch, "multiclass", "\ncat 1:0.3\ndog 2:1\n"), exit_data,
      {"data.txt:2: the label 'cat' is not a number; number the labels", "\n  svmlight: rows "});
  check_refused(scratch, train_task(scratch, "multiclass", "1:0.3 2:1\n2:1\n"), exit_data,
                {"data.txt:1: the row begins with 1:0.3 and has no label"});
  check_refused(scratch, train_task(scratch, "tagging", "a\nb\nthe cat\n"), exit_data,
                {"data.txt:1: the line 'a' fits no format of the task tagging"});
}

TEST_CASE("CSV, tables of numbers and UTF-16 are named") {
  const Scratch scratch;
  for (const std::string task : {"multiclass", "multilabel", "set"}) {
    const Outcome outcome = train_task(scratch, task, "1,0.5,0.3\n2,0.1,0.7\n");
    check_refused(scratch, outcome, exit_data, {"data.txt", "look like CSV"});
    CHECK_FALSE(contains(outcome.err, "--task multilabel"));
  }
  check_refused(scratch, train_task(scratch, "multiclass", "1 0.5 0.3\n2 0.1 0.7\n"), exit_data,
                {"look like a table of numbers without index:value"});
  const std::string utf16(
      "\xFF\xFE"
      "1\0 \0"
      "1\0:\0"
      "1\0\n\0",
      14);
  const std::string remedy = "data.txt:1:1: the text is UTF-16; save it as UTF-8";
  check_refused(scratch, train_task(scratch, "multiclass", utf16), exit_data, {remedy});
  REQUIRE(train_task(scratch, "multiclass", "1 1:1\n2 2:1\n").exit == 0);
  scratch.write("data.txt", utf16);
  check_refused(scratch, scratch.sculpt({"predict", "run", "data.txt"}), exit_data, {remedy});
  scratch.write("x.json", utf16);
  check_refused(scratch, scratch.sculpt({"train", "x.json"}), exit_config,
                {"x.json:1:1: the text is UTF-16"});
}

TEST_CASE("all rows as one example come with a warning that says how to separate examples") {
  const Scratch scratch;
  const Outcome sentence = train_task(scratch, "tagging", "the DT\ncat NN\n");
  CHECK(contains(sentence.err,
                 "warning: data.txt: is one example of 2 rows; write a token a row, and an empty "
                 "line after each sentence"));
  const Outcome query = train_task(scratch, "ranking", "2 qid:1 1:1\n1 qid:1 2:1\n");
  CHECK(contains(query.err, "is one example of 2 rows; the rows of each query need a qid"));
  CHECK_FALSE(contains(train_task(scratch, "tagging", "the DT\n\ncat NN\n").err, "one example"));
}

TEST_CASE("a loss that does not fit is refused with those that do") {
  const Scratch scratch;
  const Outcome outcome = train_task(scratch, "multiclass", "1 1:1\n2 2:1\n", {"--set", "loss=f1"});
  check_refused(
      scratch, outcome, exit_config,
      {"--set loss=f1: f1: counts parts of outputs", "; known to work here: ", "zero_one"});
  CHECK_FALSE(contains(outcome.err, "sculpt.items"));
  check_refused(scratch, train_task(scratch, "ranking", "2 qid:1 1:1\n", {"--set", "loss=map"}),
                exit_config, {"did you mean \"mean_average_precision\"?"});
}

TEST_CASE("one wrong row leaves the format clear, and is refused at its line") {
  const Scratch scratch;
  std::string text;
  for (int k = 0; k < 20; ++k) text += "the DT B\ncat NN I\n\n";
  check_refused(scratch, train_task(scratch, "tagging", text + "a DT\n"), exit_data,
                {"is read as conll: a word, its part of speech", "data.txt:61"});
}

TEST_CASE("columns that no format has are described by an option") {
  const Scratch scratch;
  const std::string text = "the DT x y B\ncat NN x y I\n\na DT x y B\n";
  check_refused(scratch, train_task(scratch, "tagging", text), exit_data,
                {"data.txt:1", "fits no format"});
  const Outcome outcome =
      train_task(scratch, "tagging", text, {"--set", R"(dataset.columns=["w", "pos", "c", "d"])"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
}

TEST_CASE("an empty file is refused") {
  const Scratch scratch;
  check_refused(scratch, train_task(scratch, "tagging", "\n \n"), exit_data,
                {"data.txt: is empty"});
}
