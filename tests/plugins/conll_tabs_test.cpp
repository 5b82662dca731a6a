// conll and crfsuite: which characters divide the columns of a file, and which row is at fault.
#include <doctest/doctest.h>

#include "line_ends.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

const json parameters = {{"templates", {"w[0]", "pos[0]"}}};

std::string refused_table(const std::string& text) {
  return refused_data("conll", text, "", parameters);
}

std::string refused_crfsuite(const std::string& text) {
  return refused_data("conll#crfsuite", text);
}

}  // namespace

TEST_CASE("conll: a token with a blank in a tab-separated file is one value") {
  const std::string text = "New York\tNNP\tB LOC\n is \tVBZ\tO\n\nit\tPRP\tO\n";
  for (const std::string& file : {text, "\xEF\xBB\xBF" + with_crlf(text), text + "\n\t\n\n"}) {
    LiveComponent dataset("conll", parameters);
    dataset.load("train", file);
    REQUIRE(example_count(dataset) == 2);
    CHECK(state_name(dataset, 0) == "B LOC");
    CHECK(feature_name(dataset, 0) == "w[0]=New York");
    dataset.load("predict", file);
    const std::string printed = format(dataset, 2, truth_of(dataset, 0));
    CHECK(printed == "New York\tNNP\tB LOC\tB LOC\nis\tVBZ\tO\tO\n");
    CHECK(parse(dataset, 2, printed) == truth_of(dataset, 0));
    CHECK(format(dataset, 0, truth_of(dataset, 0)) == "B LOC\tO");
    CHECK(parse(dataset, 0, "B LOC\tO") == truth_of(dataset, 0));
    CHECK(parse(dataset, 1, "B LOC") == Outputs{0});
    // One row alone, without its label.
    dataset.load("test", "New York\tNNP\n");
    CHECK_FALSE(is_labelled(dataset, 4));
  }
}

TEST_CASE("conll: an empty cell in a tab-separated file is refused in its own row") {
  const std::string pos = " the column pos is empty; write a value, such as _";
  CHECK(refused_table("the\t\tB\ncat\tNN\tI\n\nit\tPRP\tB\n") == "data.txt:1:5:" + pos);
  CHECK(refused_table("cat\tNN\tI\n\nthe\t  \tB\n") == "data.txt:3:7:" + pos);
  CHECK(refused_table("\tNN\tI\n").starts_with("data.txt:1:1: the column w is empty"));
  CHECK(refused_table("cat\tNN\tI\nthe\tDT\t\n") ==
        "data.txt:2:8: the label is empty; write it, or remove the labels of all rows");
}

TEST_CASE("conll: a table without any label has a tab behind its last value") {
  LiveComponent dataset("conll", parameters);
  dataset.load("train", "cat\tNN\tI\n");
  dataset.load("test", "the\tDT\t\ncat\tNN\t\n");
  CHECK(example_count(dataset) == 2);
  CHECK_FALSE(is_labelled(dataset, 1));
}

TEST_CASE("conll: blanks divide where not all rows have tabs, or where tabs are padding") {
  for (const std::string text : {"the DT\tB\ncat NN\tI\n", "the\t\tDT\tB\ncat\tNN\tI\n",
                                 "the\tDT\tB\ncat NN I\n", "the\t\tDT\tB\ncat\t\tNN\tI\n"}) {
    CAPTURE(text);
    LiveComponent dataset("conll", parameters);
    dataset.load("train", text);
    CHECK(truth_of(dataset, 0) == Outputs{0, 1});
    CHECK(feature_name(dataset, 1) == "pos[0]=DT");
  }
}

TEST_CASE("conll: the row that differs from most rows is named, not a healthy one") {
  CHECK(refused_table("the\nDT a B\ncat NN I\n") ==
        "data.txt:1:4: has 1 column, 'the', where 2 of 3 rows have 3, such as line 2; give every "
        "row the same number "
        "of columns");
  CHECK(
      refused_table("the DT\ncat NN I\n\nit PRP B\n")
          .starts_with(
              "data.txt:1:7: has 2 columns, 'the DT', where 2 of 3 rows have 3, such as line 2;"));
  CHECK(refused_table("cat NN I\nthe DT\nit PRP B\n") ==
        "data.txt:2:7: has 2 columns, 'the DT', where 2 of 3 rows have 3, such as line 1; give "
        "every row the same "
        "number of columns");
  CHECK(refused_table("New York\tNN\tB\nthe DT I\na\tDT\tI\n") ==
        "data.txt:2:9: has 1 column, 'the DT I', where 2 of 3 rows have 3, such as line 1, with "
        "tabs between them; "
        "write tabs");
}

TEST_CASE("conll: the line between documents is none of the rows that an error counts") {
  CHECK(refused_table("-DOCSTART- X\n\nthe DT B\ncat NN\nsat V B\n") ==
        "data.txt:4:7: has 2 columns, 'cat NN', where 2 of 3 rows have 3, such as line 3; give "
        "every row the same number of columns");
  CHECK(refused_table("the DT B\ncat NN\n") ==
        "data.txt:2:7: has 2 columns, 'cat NN', where 1 of 2 rows has 3, such as line 1; give "
        "every row the same number of columns");
}

TEST_CASE("crfsuite: a row without a label among labelled rows is named, not a healthy one") {
  const std::string remedy = "; write a label in front of the first tab of every row, or of none";
  CHECK(refused_crfsuite("\ta\nB\ta\n\nB\tb\n") ==
        "data.txt:1:1: the label is missing, which other rows have" + remedy);
  CHECK(refused_crfsuite("B\ta\n\tb\n\nB\tb\n") ==
        "data.txt:2:1: the label is missing, which 2 of 3 rows have" + remedy);
  const auto test = [](const std::string& text) {
    return refused_data("conll#crfsuite", text, "B\ta\n");
  };
  CHECK(test("\ta\nB\tb\n\nB\tb\n") ==
        "data.txt:1:1: the label is missing, which 2 of 3 rows have" + remedy);
  CHECK(test("B\ta\n\tb\n@weight:2\n\tb\n") ==
        "data.txt:1:1: the row has a label, and 2 of 3 rows have none" + remedy);
  CHECK(test("\ta\nB\tb\n\ta\n") ==
        "data.txt:2:1: the row has a label, and 2 of 3 rows have none" + remedy);
}

TEST_CASE("crfsuite reads empty cells and blanks inside cells") {
  const std::string text = "B\tw=New York\t\tcap\nO\tw=is\t\n";
  for (const std::string& file : {text, "\xEF\xBB\xBF" + with_crlf(text), text + "\n\n"}) {
    LiveComponent dataset("conll#crfsuite");
    dataset.load("train", file);
    CHECK(example_count(dataset) == 1);
    CHECK(feature_name(dataset, 0) == "w=New York");
  }
}
