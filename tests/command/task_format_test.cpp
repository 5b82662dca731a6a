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

TEST_CASE("data that fit two formats are refused with an option for each") {
  const Scratch scratch;
  // Each row has a label and one attribute, or a word and its label.
  const std::string text = "D\tw=the\nN\tw=cat\n\nD\tw=a\nN\tw=dog\n";
  check_refused(scratch, train_task(scratch, "tagging", text), exit_data,
                {"data.txt: its first lines fit several formats of the task tagging",
                 "\n  --set dataset.use=conll: ", "\n  --set dataset.use=crfsuite: "});
  const Outcome chosen = train_task(scratch, "tagging", text, {"--set", "dataset.use=crfsuite"});
  INFO(chosen.err);
  CHECK(chosen.exit == 0);
  CHECK(dataset_of(scratch, "use") == "crfsuite");

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
  check_refused(scratch, train_task(scratch, "tagging", text), exit_data, {"fit no format"});
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
