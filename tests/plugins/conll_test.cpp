// The dataset conll: reading, learning, the stored state, printing, and refusals with their places.
#include <doctest/doctest.h>

#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

const json words_only = {{"templates", {"w[0]"}}};

const std::string two_sentences =
    "the DT B-NP\n"
    "cat NN I-NP\n"
    "sleeps VBZ B-VP\n"
    "\n"
    "it PRP B-NP\n"
    "sleeps VBZ B-VP\n";

// The attributes of the tokens of an example, as "w[0]=the, pos[0]=DT / w[0]=cat".
std::string attributes_of(const LiveComponent& dataset, std::int64_t example) {
  const sculpt_sites sites = sites_of(dataset, example);
  std::string text;
  for (std::int64_t s = 0; s < sites.site_count; ++s) {
    if (s > 0) text += " / ";
    for (std::int64_t j = sites.row_from[s]; j < sites.row_from[s + 1]; ++j) {
      if (j > sites.row_from[s]) {
        text += ", ";
        CHECK(sites.index[j] > sites.index[j - 1]);
      }
      text += feature_name(dataset, sites.index[j]);
      CHECK(sites.value[j] == 1);
    }
  }
  return text;
}

std::string refused_sentences(const std::string& text, const json& parameters = words_only,
                              const std::string& train = "") {
  return refused_data("conll", text, train, parameters);
}

}  // namespace

TEST_CASE("conll reads sentences with one site for each token") {
  LiveComponent dataset("conll", {{"templates", {"w[0]", "pos[0]"}}});
  dataset.load("train", two_sentences);
  CHECK(example_count(dataset) == 2);
  CHECK(split_of(dataset, "train") == Split(0, 2));
  CHECK(attributes_of(dataset, 0) ==
        "w[0]=the, pos[0]=DT / w[0]=cat, pos[0]=NN / w[0]=sleeps, pos[0]=VBZ");
  CHECK(attributes_of(dataset, 1) == "w[0]=it, pos[0]=PRP / w[0]=sleeps, pos[0]=VBZ");
  CHECK(truth_of(dataset, 0) == Outputs{0, 1, 2});
  CHECK(truth_of(dataset, 1) == Outputs{0, 2});
  CHECK(shape_of(dataset).state_count == 3);
  CHECK(shape_of(dataset).feature_count == 8);
  CHECK(shape_of(dataset).variable_count == 0);
  CHECK(state_name(dataset, 1) == "I-NP");
  CHECK_THROWS_WITH(state_name(dataset, 3), "label 3 does not exist; labels are 0 to 2");
  CHECK_THROWS_WITH(feature_name(dataset, 8), "there is no attribute 8");
}

TEST_CASE("conll numbers labels and attributes by their first appearance") {
  LiveComponent dataset("conll", words_only);
  dataset.load("train", "z NN Z\na NN A\n\nz NN A\nm NN M\n");
  CHECK(state_name(dataset, 0) == "Z");
  CHECK(state_name(dataset, 2) == "M");
  CHECK(feature_name(dataset, 0) == "w[0]=z");
  CHECK(feature_name(dataset, 1) == "w[0]=a");
  CHECK(feature_name(dataset, 2) == "w[0]=m");
}

TEST_CASE("conll reads CRLF, a byte order mark, tabs, blank lines and no final newline") {
  LiveComponent plain("conll", words_only);
  plain.load("train", two_sentences);
  LiveComponent odd("conll", words_only);
  odd.load("train",
           "\xEF\xBB\xBF\r\n \t \r\n"
           "the\tDT\tB-NP\r\ncat   NN\tI-NP \r\n sleeps VBZ B-VP\r\n\r\n\n  \n\t\r\n"
           "it PRP B-NP\r\nsleeps VBZ B-VP");
  CHECK(example_count(odd) == 2);
  CHECK(odd.save() == plain.save());
  for (std::int64_t example : {0, 1}) {
    CHECK(truth_of(odd, example) == truth_of(plain, example));
    CHECK(attributes_of(odd, example) == attributes_of(plain, example));
  }
}

TEST_CASE("conll reads the sign # as a word") {
  LiveComponent dataset("conll", words_only);
  dataset.load("train", "# # B-NP\n250 CD I-NP\n");
  CHECK(attributes_of(dataset, 0) == "w[0]=# / w[0]=250");
}

TEST_CASE("conll ends a sentence at a -DOCSTART- line with any columns, and drops the line") {
  LiveComponent dataset("conll", words_only);
  dataset.load("train",
               "-DOCSTART- -X- -X- O\n\nthe DT B-NP\n-DOCSTART- O\ncat NN I-NP\n\n-DOCSTART-\n");
  CHECK(example_count(dataset) == 2);
  CHECK(attributes_of(dataset, 0) == "w[0]=the");
  CHECK(shape_of(dataset).state_count == 2);
}

TEST_CASE("conll reads as many columns as the parameter columns names") {
  LiveComponent dataset("conll", {{"columns", {"word", "lemma", "pos", "chunk"}},
                                  {"templates", {"lemma[0]|chunk[0]"}}});
  dataset.load("train", "Lions lion NNS B-NP B-ANIMAL\n");
  CHECK(attributes_of(dataset, 0) == "lemma[0]|chunk[0]=lion | B-NP");
  CHECK(state_name(dataset, 0) == "B-ANIMAL");
}

TEST_CASE("conll with train_sentences learns only from the first sentences") {
  LiveComponent dataset("conll", {{"templates", {"w[0]"}}, {"train_sentences", 1}});
  dataset.load("train", two_sentences + "\nx Y NEW\n");
  CHECK(split_of(dataset, "train") == Split(0, 1));
  CHECK(shape_of(dataset).feature_count == 3);
  CHECK(shape_of(dataset).state_count == 3);
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] == "data.txt: learns from the first 1 of 3 sentences");
  dataset.load("test", two_sentences);
  CHECK(split_of(dataset, "test") == Split(1, 3));
}

TEST_CASE("conll drops attributes that occur less than cutoff times in all training tokens") {
  LiveComponent dataset("conll", {{"templates", {"w[0]", "pos[0]"}}, {"cutoff", 2}});
  dataset.load("train", two_sentences);
  CHECK(shape_of(dataset).feature_count == 2);
  CHECK(attributes_of(dataset, 0) == " /  / w[0]=sleeps, pos[0]=VBZ");
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] == "data.txt: kept 2 of 8 attributes, those that occur 2 times or more");
}

TEST_CASE(
    "conll ignores attributes that are not in training, and logs their number for each file") {
  LiveComponent dataset("conll", {{"templates", {"w[0]", "pos[0]", "w[-1]|w[0]"}}});
  dataset.load("train", two_sentences);
  const std::int64_t learned = shape_of(dataset).feature_count;
  CHECK(dataset.log().empty());
  dataset.load("test", "the DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n");
  CHECK(shape_of(dataset).feature_count == learned);
  CHECK(attributes_of(dataset, 2) ==
        "w[0]=the, pos[0]=DT, w[-1]|w[0]=begin -1 | the / pos[0]=NN / pos[0]=VBZ");
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] ==
        "data.txt: ignored 4 of 9 attributes, which do not occur in the training data; 2 of 3 "
        "words are unknown");
}

TEST_CASE("conll returns the same array of ones for every example") {
  LiveComponent dataset("conll", words_only);
  dataset.load("train", two_sentences);
  CHECK(sites_of(dataset, 0).value == sites_of(dataset, 1).value);
}

TEST_CASE("conll reads data without the label column as unlabelled") {
  LiveComponent dataset("conll", words_only);
  dataset.load("train", two_sentences);
  dataset.load("test", "it PRP\nsleeps VBZ\n");
  CHECK(split_of(dataset, "test") == Split(2, 3));
  CHECK_FALSE(is_labelled(dataset, 2));
  CHECK(attributes_of(dataset, 2) == "w[0]=it / w[0]=sleeps");
}

TEST_CASE("conll adds the guess to the lines of data to be predicted") {
  LiveComponent dataset("conll", words_only);
  dataset.load("train", two_sentences);
  CHECK(format(dataset, 0, {0, 1, 2}) == "B-NP I-NP B-VP");
  dataset.load("predict", "it PRP\nsleeps   VBZ \n\nthe\tDT\n");
  CHECK(format(dataset, 2, {2, 0}) == "it PRP B-VP\nsleeps VBZ B-NP\n");
  CHECK(format(dataset, 3, {1}) == "the DT I-NP\n");
  CHECK_THROWS_WITH(format(dataset, 3, {1, 1}),
                    "the output has 2 labels for 1 tokens; give one label for each token");
  CHECK_THROWS_WITH(format(dataset, 3, {7}), "label 7 does not exist; labels are 0 to 2");
}

TEST_CASE("conll keeps the label of the data before the guess, and keeps tabs") {
  LiveComponent learned("conll", words_only);
  learned.load("train", two_sentences);
  LiveComponent dataset("conll", words_only);
  dataset.restore(learned.save());
  dataset.load("predict", "it\tPRP\tB-NP\r\nsleeps VBZ B-VP\r\n");
  CHECK(format(dataset, 0, {0, 0}) == "it\tPRP\tB-NP\tB-NP\nsleeps\tVBZ\tB-VP\tB-NP\n");
}

TEST_CASE("conll reads back the labels that it prints") {
  LiveComponent dataset("conll", words_only);
  dataset.load("train", two_sentences);
  dataset.load("predict", "it PRP\nsleeps VBZ\n");
  const Outputs y = {2, 1};
  CHECK(parse(dataset, 0, format(dataset, 0, y)) == y);
  CHECK(parse(dataset, 2, format(dataset, 2, y)) == y);
  CHECK(parse(dataset, 2, "it PRP B-VP\r\nsleeps VBZ I-NP \n\n") == y);
  CHECK(parse(dataset, 2, "").empty());
  CHECK_THROWS_WITH(parse(dataset, 2, "B-VP B-X"),
                    "'B-X' is not a label of the training data (B-NP, I-NP, B-VP)");
}

TEST_CASE("conll restored from a model reads new data like the trained one") {
  const std::string rows = "the DT B-NP\ndog NN I-NP\n\nit PRP B-NP\n";
  const json parameters = {{"cutoff", 1}, {"train_sentences", 2}};
  LiveComponent learned("conll", parameters);
  learned.load("train", two_sentences);
  learned.load("test", rows);
  LiveComponent restored("conll", parameters);
  restored.restore(learned.save());
  restored.load("predict", rows);
  CHECK(split_of(restored, "predict") == Split(0, 2));
  for (std::int64_t example = 0; example < 2; ++example) {
    CHECK(attributes_of(restored, example) == attributes_of(learned, example + 2));
    CHECK(truth_of(restored, example) == truth_of(learned, example + 2));
  }
  CHECK(restored.save() == learned.save());
}

TEST_CASE("conll refuses a row with another number of columns, with its place and text") {
  CHECK(refused_sentences("a b c d\n") ==
        "data.txt:1:7: has 4 columns, 'a b c d', where w, pos and an optional label are expected; "
        "list the columns before the label in `columns`");
  CHECK(refused_sentences("the\n") ==
        "data.txt:1:4: has 1 column, 'the', where w, pos and an optional label are expected; list "
        "the columns before the label in `columns`");
  CHECK(refused_sentences("the DT B-NP\n\ncat NN\n") ==
        "data.txt:3:7: has 2 columns, 'cat NN', where 1 of 2 rows has 3, such as line 1; give "
        "every row the same "
        "number of columns");
  CHECK(refused_sentences("the DT B-NP\ncat NN I-NP more\n") ==
        "data.txt:2:13: has 4 columns, 'cat NN I-NP more', where 1 of 2 rows has 3, such as line "
        "1; give every "
        "row the same number of columns");
  CHECK(refused_sentences("it PRP\nsleeps VBZ B-VP\n", words_only, two_sentences) ==
        "data.txt:2:12: has 3 columns, 'sleeps VBZ B-VP', where 1 of 2 rows has 2, such as line 1; "
        "give every "
        "row the same number of columns");
  CHECK(refused_sentences("the DT " + std::string(200, 'x') + " y\n") ==
        "data.txt:1:209: has 4 columns, 'the DT " + std::string(53, 'x') +
            "...', where w, pos and an optional label are expected; list the columns before the "
            "label in `columns`");
}

TEST_CASE("conll refuses data without sentences, and training data without labels") {
  CHECK(refused_sentences("\n \n-DOCSTART- -X- O\n") ==
        "data.txt:1:1: no sentences; write one token a line with its columns and its label, and a "
        "blank line after each sentence");
  CHECK(refused_sentences("", words_only, two_sentences) ==
        "data.txt:1:1: no sentences; write one token a line with its columns and its label, and a "
        "blank line after each sentence");
  CHECK(refused_sentences("the DT\ncat NN\n") ==
        "data.txt:1:1: the rows have no label after their 2 columns, so there is nothing to learn; "
        "add it, or list only the columns before it in `columns`");
}

TEST_CASE("conll refuses a label that is not in training, with its place and a remedy") {
  CHECK(refused_sentences("the DT B-NP\n\ncat NN  I-ANIMAL\n", words_only, two_sentences) ==
        "data.txt:3:9: label 'I-ANIMAL' does not occur in the training data (B-NP, I-NP, B-VP); "
        "correct it, count every guess for it as wrong (--set dataset.unseen_labels=wrong), take "
        "it for no label (free), or remove the labels of all rows to predict them");
}

TEST_CASE("conll with unseen_labels free refuses to learn the label ?") {
  const json parameters = {{"templates", {"pos[0]"}}, {"unseen_labels", "free"}};
  CHECK(refused_sentences("the DT B-NP\n\ncat NN ?\n", parameters)
            .starts_with("data.txt:3:8: '?' stands for no label here (unseen_labels is free)"));
  json only_first = parameters;
  only_first["train_sentences"] = 1;
  CHECK(refused_sentences("the DT B-NP\n\ncat NN ?\n", only_first) == "accepted");
}

TEST_CASE("conll says which columns the default templates need") {
  const auto refused = [](const json& parameters, const std::string& rows) {
    LiveComponent dataset("conll", parameters);
    return refusal_of(SCULPT_E_PARAMETER, [&] { dataset.load("train", rows); });
  };
  CHECK(refused({{"columns", {"w"}}}, "the D\n") ==
        "the default templates read the columns w and pos, but there is no column pos; set "
        "`templates`, such as [\"w[-1..1]\"], or `patterns`");
  CHECK(refused({{"columns", {"word", "pos"}}}, "the DT D\n")
            .starts_with("the default templates read the columns w and pos, but there is no column "
                         "w; set `templates`, such as [\"word[-1..1]\"]"));
}

TEST_CASE("conll with unseen_labels wrong counts every guess at an unseen label as wrong") {
  const json parameters = {{"templates", {"pos[0]"}}, {"unseen_labels", "wrong"}};
  LiveComponent learned("conll", parameters);
  learned.load("train", two_sentences);
  LiveComponent dataset("conll", parameters);
  dataset.restore(learned.save());
  dataset.load("predict", "the DT B-NP\ncat NN I-PET\ncat NN I-PET\nsleeps VBZ B-VP\n");
  CHECK(truth_of(dataset, 0) == Outputs{0, -2, -2, 2});
  CHECK(shape_of(dataset).state_count == 3);
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] ==
        "data.txt: 2 tokens have labels that do not occur in the training data (I-PET); every "
        "guess for them counts as wrong");
  // The truth has the chunks NP, PET and VP. The guess has a longer NP, and VP.
  const json values = metrics(dataset, {{truth_of(dataset, 0), {0, 1, 1, 2}}});
  CHECK(values["token_error"] == 0.5);
  CHECK(values["chunk_precision"] == 1.0 / 2);
  CHECK(values["chunk_recall"] == 1.0 / 3);
}

TEST_CASE("conll refuses names of columns that templates cannot use") {
  CHECK(refused_conll_parameters({{"columns", json::array()}}) ==
        "columns is empty; list the columns before the label");
  CHECK(refused_conll_parameters({{"columns", {"w", "p o"}}}) ==
        "columns: 'p o' is not a valid name; use letters, digits and _");
  CHECK(refused_conll_parameters({{"columns", {"w", "pos", "w"}}}) ==
        "columns: 'w' occurs twice; list each column once");
}

TEST_CASE("conll refuses a truncated state of any length, and a label that occurs twice in it") {
  LiveComponent learned("conll", words_only);
  learned.load("train", two_sentences);
  const std::string state = learned.save();
  for (std::size_t size = 0; size < state.size(); ++size) {
    LiveComponent restored("conll", words_only);
    CHECK_THROWS_WITH(restored.restore(state.substr(0, size)),
                      "its state in the model is damaged or of another version; use the plugin "
                      "version that wrote the model, or train again");
  }
  std::string twice = state;
  twice.replace(twice.find("I-NP"), 4, "B-NP");
  LiveComponent restored("conll", words_only);
  CHECK_THROWS_WITH(restored.restore(twice),
                    "its state in the model is damaged or of another version; use the plugin "
                    "version that wrote the model, or train again");
}
