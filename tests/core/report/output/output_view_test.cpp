// Outputs are shown as what their text looks like, and text of any kind is no tag.

#include "report/output/output_view.hpp"

#include <doctest/doctest.h>

#include "page_tree.hpp"

using namespace sculpt::core;
using sculpt::test::Element;

namespace {

ExampleRecord example_of(const std::string& truth, const std::string& guess,
                         std::int64_t label_count, bool is_ascending = false) {
  ExampleRecord example;
  example.truth = {truth, label_count, is_ascending, true};
  example.guess = {guess, label_count, is_ascending, true};
  return example;
}

Element view_of(const ExampleRecord& example) {
  LabelColours colours;
  Markup out;
  write_outputs(out, "x", example, colours);
  return sculpt::test::page_tree("<!DOCTYPE html><div>" + out.text() + "</div>");
}

std::vector<std::string> texts_of_class(const Element& tree, const std::string& element,
                                        const std::string& wanted) {
  std::vector<std::string> texts;
  for (const Element* found : tree.all(element)) {
    if (found->attribute("class") == wanted) texts.push_back(found->whole_text());
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("bracketed text becomes two trees, with the brackets that differ") {
  const Element view =
      view_of(example_of("(S (NP the dog) (VP barks))", "(S (NP the) (VP dog barks))", 9));
  CHECK(view.all("svg").size() == 2);
  CHECK(texts_of_class(view, "text", "symbol") == Texts{"S", "S"});
  CHECK(texts_of_class(view, "text", "wrong") == Texts{"NP", "VP", "NP", "VP"});
  CHECK(texts_of_class(view, "text", "word") ==
        Texts{"the", "dog", "barks", "the", "dog", "barks"});
  CHECK(view_of(example_of("(S a)", "(S a)", 3)).all("svg").size() == 1);
}

TEST_CASE("text with brackets that is no tree stays text") {
  for (const char* text : {"(S (NP the)", "(S a))", "()", "(S)", "(S (a b) c", "((a b))", ")("}) {
    CAPTURE(text);
    const Element view = view_of(example_of(text, "(S a)", 40));
    CHECK(view.all("svg").empty());
    CHECK(view.whole_text().find(text) != std::string::npos);
  }
  const std::string deep = std::string(5000, '(') + "a" + std::string(5000, ')');
  CHECK(view_of(example_of(deep, deep, 40)).all("svg").empty());
}

TEST_CASE("lines of labels become pictures, with crosses on what differs") {
  const Element view = view_of(example_of("0 0 1\n0 1 1", "0 0 1\n1 1 1", 6));
  CHECK(view.all("figure").size() == 2);
  std::vector<std::string> paths;
  for (const Element* path : view.all("path")) {
    if (path->attribute("class") == "wrong") paths.push_back(path->attribute("d"));
  }
  CHECK(paths == Texts{"M0 1m.2 .2l.6 .6m0-.6l-.6 .6"});
  // Runs of equal cells are one piece of a path.
  CHECK(view.all("path")[3]->attribute("d") == "M2 0h1v1H2zM1 1h2v1H1z");
}

TEST_CASE("two rows with gaps become an alignment, with x at wrong pairs") {
  const Element view = view_of(example_of("AC-GT ACCGT", "ACG-T ACCGT", 7));
  const std::vector<const Element*> rows = view.all("pre");
  REQUIRE(rows.size() == 2);
  CHECK(texts_of_class(view, "span", "marks") == Texts{"|| ||", "||x |"});
  // Local alignments tell where they begin.
  CHECK(view_of(example_of("3:AC 7:AC", "3:AC 7:AC", 4)).all("pre").size() == 1);
  // Two tags are no alignment.
  CHECK(view_of(example_of("NN VB", "NN NN", 2)).all("pre").empty());
}

TEST_CASE("brackets over a sequence become arcs") {
  const Element view = view_of(example_of("((..))", "(....)", 6));
  CHECK(view.all("svg").size() == 1);
  CHECK(view.by_id("x-d")->whole_text().find("The truth has 2 pairs, the guess 1") !=
        std::string::npos);
  CHECK(view_of(example_of(">name\nGGAACC\n((..))", "(....)", 6)).all("svg").size() == 1);
  CHECK(view_of(example_of("((..)", "(....)", 6)).all("svg").empty());
}

TEST_CASE("a rank on each line becomes a table in the order of the guess") {
  ExampleRecord example = example_of("1\n2\n2", "3\n1\n2", 3);
  example.source = {"2 qid:1 1:1", "1 qid:1 1:2", "1 qid:1 <b>"};
  const Element view = view_of(example);
  const std::vector<const Element*> rows = view.all("tr");
  REQUIRE(rows.size() == 4);
  CHECK(rows[1]->whole_text() == "1no. 2 21 qid:1 1:2");
  CHECK(rows[2]->whole_text() == "2no. 3 21 qid:1 <b>");
  CHECK(rows[3]->whole_text() == "3no. 1 12 qid:1 1:1");
}

TEST_CASE("tags stand below their words, wrong ones with the guess") {
  ExampleRecord example = example_of("DT NN VB", "DT VB VB", 3);
  example.source = {"the DT", "<i>dog</i> NN", "barks VB"};
  const Element view = view_of(example);
  CHECK(view.all("b").size() == 3);
  CHECK(view.all("b")[1]->whole_text() == "<i>dog</i>");
  REQUIRE(view.all("em").size() == 1);
  CHECK(view.all("em")[0]->whole_text() == "✗ VB");
  // The letters of a word.
  CHECK(view_of(example_of("naïf", "naif", 4)).all("em").size() == 1);
}

TEST_CASE("sets show what is missing and what is too much, in any order") {
  const Element view = view_of(example_of("1,4,9", "4,7", 10));
  CHECK(view.whole_text() == "1✗ missing 4 7✗ too much 9✗ missing \n");
  CHECK(view_of(example_of("-", "4,7", 10)).all("em").size() == 2);
  // Ascending labels are a set too: d2 stands at another position.
  CHECK(view_of(example_of("d1 d2", "d2 d3", 2, true)).all("em").size() == 2);
}

TEST_CASE("other text is shown as it is, and never as tags") {
  const std::string hostile("</dd><script>alert(1)</script>\0\xff", 32);
  const Element view = view_of(example_of(hostile, "b", 1));
  CHECK(view.all("script").empty());
  CHECK(view.whole_text().find("<script>alert(1)</script>\\x00\\xff") != std::string::npos);
}

TEST_CASE("every kind of view shows text of files as text") {
  const std::vector<std::pair<const char*, ExampleRecord>> cases = {
      {"tree", example_of("(<u>S</u> (NP <u>dog</u>))", "(<u>S</u> <u>dog</u>)", 40)},
      {"picture", example_of("<u> 0\n0 1", "<u> 1\n0 1", 4)},
      {"alignment", example_of("A<u>-G ACC-G", "A-<u>G ACC-G", 5)},
      {"tags", example_of("DT <u>x</u>", "DT <u>y</u>", 2)},
      {"set", example_of("1,<u>x</u>", "1,<u>y</u>", 10)}};
  for (const auto& item : cases) {
    CAPTURE(item.first);
    const Element view = view_of(item.second);
    CHECK(view.all("u").empty());
    CHECK(view.whole_text().find("<u>") != std::string::npos);
  }
}
