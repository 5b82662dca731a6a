// The dataset conll with "format": "conllu": comments, ranges and empty nodes, the printed rows,
// the stored state, and refusals with their places.
#include <doctest/doctest.h>

#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

const json forms = {{"format", "conllu"}, {"templates", {"form[0]"}}};

// A row of CoNLL-U.
std::string row(const std::string& id, const std::string& form, const std::string& upos,
                const std::string& xpos = "_") {
  return id + "\t" + form + "\t_\t" + upos + "\t" + xpos + "\t_\t_\t_\t_\t_\n";
}

const std::string two_trees = "# sent_id = 1\n" + row("1-2", "del", "_") + row("1", "de", "ADP") +
                              row("2", "el", "DET", "d") + row("2.1", "es", "AUX") + "\n" +
                              "# text = New York\n" + row("1", "New York", "PROPN");

json with(const json& more) {
  json parameters = forms;
  parameters.update(more);
  return parameters;
}

std::string refused_conllu(const std::string& text, const std::string& train = "") {
  return refused_data("conll", text, train, forms);
}

}  // namespace

TEST_CASE("CoNLL-U gives a site for each token, without comments, ranges and empty nodes") {
  LiveComponent dataset("conll", forms);
  dataset.load("train", two_trees);
  CHECK(example_count(dataset) == 2);
  CHECK(truth_of(dataset, 0) == Outputs{0, 1});
  CHECK(truth_of(dataset, 1) == Outputs{2});
  CHECK(shape_of(dataset).feature_count == 3);
  CHECK(feature_name(dataset, 1) == "form[0]=el");
  CHECK(feature_name(dataset, 2) == "form[0]=New York");
  CHECK(state_name(dataset, 2) == "PROPN");
}

TEST_CASE("CoNLL-U reads the label from the column that label names") {
  LiveComponent dataset("conll", with({{"label", "xpos"}}));
  dataset.load("train", two_trees);
  CHECK(truth_of(dataset, 0) == Outputs{0, 1});
  CHECK(state_name(dataset, 0) == "_");
  CHECK(state_name(dataset, 1) == "d");
}

TEST_CASE("CoNLL-U counts unknown forms as unknown words") {
  LiveComponent dataset("conll", forms);
  dataset.load("train", two_trees);
  dataset.load("test", row("1", "de", "ADP") + row("2", "la", "DET"));
  REQUIRE(dataset.log().size() == 1);
  CHECK(contains(dataset.log()[0], "1 of 2 words are unknown"));
}

TEST_CASE("CoNLL-U is printed as it was read, with the guess as the label") {
  LiveComponent learned("conll", forms);
  learned.load("train", two_trees);
  LiveComponent dataset("conll", forms);
  dataset.restore(learned.save());
  const std::string raw = "# a\n" + row("1-2", "x y", "_") + row("1", "x", "_") +
                          row("2", "y", "_", "z") + row("2.1", "e", "V") + "# end\n";
  dataset.load("predict", raw + "\n" + row("1", "New York", "_"));
  CHECK_FALSE(is_labelled(dataset, 0));
  const std::string printed = format(dataset, 0, {2, 1});
  CHECK(printed == "# a\n" + row("1-2", "x y", "_") + row("1", "x", "PROPN") +
                       row("2", "y", "DET", "z") + row("2.1", "e", "V") + "# end\n");
  CHECK(parse(dataset, 0, printed) == Outputs{2, 1});
  CHECK(parse(dataset, 0, "PROPN DET") == Outputs{2, 1});
  CHECK(format(dataset, 1, {0}) == row("1", "New York", "ADP"));
  LiveComponent labelled("conll", forms);
  labelled.restore(learned.save());
  labelled.load("predict", row("1", "de", "ADP"));
  CHECK(is_labelled(labelled, 0));
  CHECK(format(labelled, 0, {1}) == row("1", "de", "DET"));
}

TEST_CASE("a model of CoNLL-U refuses another label and other columns") {
  LiveComponent learned("conll", forms);
  learned.load("train", two_trees);
  for (const json& other : {with({{"label", "xpos"}}), json{{"templates", {"w[0]"}}}}) {
    LiveComponent restored("conll", other);
    CHECK_THROWS(restored.restore(learned.save()));
  }
}

TEST_CASE("bad rows of CoNLL-U are refused with their place") {
  CHECK(refused_conllu("1 de _ ADP\n") ==
        "data.txt:1:11: the row has 1 column where CoNLL-U has 10; separate them by tabs");
  CHECK(refused_conllu("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\tmore\n") ==
        "data.txt:1:21: the row has 11 columns where CoNLL-U has 10; separate them by tabs");
  CHECK(refused_conllu("# a\n1\t\t_\tX\t_\t_\t_\t_\t_\t_\n") ==
        "data.txt:2:3: the column form is empty; write _ for no value");
  CHECK(refused_conllu(row("a", "de", "ADP")) ==
        "data.txt:1:1: 'a' is no id; write a number, a range such as 3-4, or an empty node such as "
        "5.1");
  CHECK(refused_conllu("# only a comment\n\n").find("data.txt:1:1: no sentences") == 0);
  CHECK(refused_conllu(row("1", "de", "_")) ==
        "data.txt:1:1: every row has _ as its upos, so there is nothing to learn; write the "
        "labels, or choose another `label`");
  CHECK(contains(refused_conllu(row("1", "de", "X"), two_trees),
                 "data.txt:1:8: label 'X' does not occur in the training data (ADP, DET, PROPN)"));
}

TEST_CASE("CoNLL-U refuses columns of its own, and templates that read the label") {
  CHECK(refused_conll_parameters(with({{"columns", {"form"}}})) ==
        "columns and the format conllu are both set; CoNLL-U has its own columns, so remove "
        "`columns`");
  const std::string reads =
      "the templates or patterns read the column upos, which is the label; use other columns, or "
      "choose another `label`";
  CHECK(refused_conll_parameters(with({{"templates", {"form[0]", "upos[-1]"}}})) == reads);
  const json by_pattern = {{"format", "conllu"}, {"patterns", {"U:%x[0,3]"}}};
  CHECK(refusal_of(SCULPT_E_PARAMETER,
                   [&] { LiveComponent("conll", by_pattern).load("train", two_trees); }) == reads);
}
