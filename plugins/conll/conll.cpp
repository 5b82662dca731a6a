// conll.cpp - the dataset of files with one token a row: columns, the last of them the label.
//
// A token is a site, a sentence is an example. Templates turn the columns of a token and its
// neighbours into attributes; each is an input feature with value 1. Labels and attributes are
// learned from the split "train" and saved in the model. The file format is that of the shared
// tasks, Tjong Kim Sang & Buchholz, CoNLL-2000. The templates follow CRF++ (Kudo, 2005).
#include "attributes.hpp"
#include "crfsuite.hpp"
#include "template_reader.hpp"
#include "token_sequences.hpp"

#include <sculpt/cpp/example_weights.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Conll : public TokenSequences {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.conll", "1.0.0",
      "one token a row, blank lines between sentences; templates make the attributes",
      "Tjong Kim Sang and Buchholz, CoNLL-2000"};
  static constexpr double max_count = 2147483647;
  static constexpr sculpt_parameter parameters[] = {
      sculpt::list_of(
          sculpt::text("columns", R"(["w", "pos"])", "names of the columns before the label")),
      sculpt::list_of(sculpt::text(
          "templates",
          R"(["w[-2..2]", "w[-1]|w[0]", "w[0]|w[1]", "pos[-2..2]",)"
          R"( "pos[-2]|pos[-1]", "pos[-1]|pos[0]", "pos[0]|pos[1]", "pos[1]|pos[2]",)"
          R"( "pos[-2]|pos[-1]|pos[0]", "pos[-1]|pos[0]|pos[1]", "pos[0]|pos[1]|pos[2]"])",
          "attributes of a token: columns of the rows around it, alone or joined; also "
          "lower(w[0]), shape(w[0]), prefix(w[0],1..4), suffix(w[0],3)")),
      cutoff_parameter(),
      sculpt::integer("train_sentences", "0", 0, max_count,
                      "learns only from this many sentences at the beginning of `train`; 0: from "
                      "all",
                      "sentences"),
      unseen_labels_parameter(),
      sculpt::example_weights()};
  static constexpr const char* experiments[] = {R"({
    "name": "conll_three_sentences",
    "dataset": {"use": "conll", "templates": ["w[-1..1]", "pos[0]", "pos[-1]|pos[0]"],
                "train": {"text":
      "the DT B-NP\ncat NN I-NP\nsleeps VBZ B-VP\n\nit PRP B-NP\nsleeps VBZ B-VP\n. . O\n"},
                "test": {"text": "the DT B-NP\ndog NN I-NP\nsleeps VBZ B-VP\n. . O\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1}})"};

  Conll(const sculpt::Parameters& given, sculpt::Host host)
      : TokenSequences(given, host, {" \t", "remove the labels of all rows"}),
        columns_(checked_columns(given.texts("columns"))),
        templates_(given.texts("templates")),
        token_attributes_(read_templates(templates_, columns_), columns_.front(), attributes_),
        train_sentences_(static_cast<std::size_t>(given.integer("train_sentences"))),
        weights_(given) {}

  void load(std::string_view split, const sculpt::Source& source) {
    sculpt::LineReader reader(source);
    const ConllFile file = read_conll_file(reader, columns_);
    if (file.sentences() == 0) {
      throw reader.error_at(1, 0,
                            "no sentences; write one token a line with its columns and its label, "
                            "and a blank line after each sentence");
    }
    std::size_t sentences = file.sentences();
    if (split == "train" && train_sentences_ > 0) sentences = std::min(sentences, train_sentences_);
    require_learned(split);
    if (labels_.size() == 0) learn(file, sentences, reader, source);
    append(split, file, sentences, reader, source);
    if (split == "train") weights_.read(store_.split(split).begin, file.sentences());
  }

  double example_weight(std::int64_t example) const { return weights_.of(example); }

  void save(sculpt::StateWriter& writer) const {
    writer.integer(state_version);
    writer.texts(columns_);
    writer.texts(templates_);
    labels_.save(writer);
    attributes_.save(writer);
  }
  void restore(sculpt::StateReader& reader) {
    if (reader.integer() != state_version) reader.damaged();
    require_same("columns", reader.texts(), columns_);
    require_same("templates", reader.texts(), templates_);
    labels_.restore(reader);
    attributes_.restore(reader);
  }

 private:
  static constexpr std::int64_t state_version = 2;

  // Attributes from other columns or templates would all be unseen.
  static void require_same(const std::string& key, const std::vector<std::string>& learned,
                           const std::vector<std::string>& given) {
    if (learned == given) return;
    throw sculpt::Error(SCULPT_E_PARAMETER, "`" + key +
                                                "` cannot be changed once a model is trained, "
                                                "because the attributes depend on it; set it as in "
                                                "training");
  }

  // Throws unless the names are distinct and consist of letters, digits and _, as the grammar of
  // templates requires.
  static std::vector<std::string> checked_columns(std::vector<std::string> names) {
    if (names.empty()) {
      throw sculpt::parameter_error("columns is empty; list the columns before the label");
    }
    for (auto name = names.begin(); name != names.end(); ++name) {
      if (!is_column_name(*name)) {
        throw sculpt::parameter_error("columns: '" + *name +
                                      "' is not a valid name; use letters, digits and _");
      }
      if (std::find(names.begin(), name, *name) != name) {
        throw sculpt::parameter_error("columns: '" + *name +
                                      "' occurs twice; list each column once");
      }
    }
    return names;
  }

  void learn(const ConllFile& file, std::size_t sentences, const sculpt::LineReader& reader,
             const sculpt::Source& source) {
    if (!file.is_labelled) {
      throw reader.error_at(1, 0,
                            "the rows have no label after their " +
                                std::to_string(columns_.size()) +
                                " columns, so there is nothing to learn; add it, or list only "
                                "the columns before it in `columns`");
    }
    for (std::size_t row = 0; row < file.sentence_from[sentences]; ++row) {
      labels_.learn(file.labels[row]);
    }
    const std::int64_t found = token_attributes_.learn(file, sentences, cutoff_);
    report_learned(source.path(), found);
    if (sentences < file.sentences()) {
      host_.log(source.path() + ": learns from the first " + std::to_string(sentences) + " of " +
                std::to_string(file.sentences()) + " sentences");
    }
  }

  // Adds the sentences as another split.
  void append(std::string_view split, const ConllFile& file, std::size_t sentences,
              const sculpt::LineReader& reader, const sculpt::Source& source) {
    begin_split(split, source.path());
    AttributeCounts counts;
    for (std::size_t s = 0; s < sentences; ++s) {
      const Sentence sentence = file.sentence(s);
      for (std::size_t position = 0; position < sentence.length; ++position) {
        for (const std::int32_t number : token_attributes_.find(sentence, position, counts)) {
          add_value(number, 1);
        }
        end_token();
        if (!file.is_labelled) continue;
        const std::size_t row = file.sentence_from[s] + position;
        const LabelPlace& place = file.label_places[row];
        add_label(file.labels[row], reader, place.line, place.column);
      }
      if (split == "predict") {
        end_predicted(file.is_labelled, file.sentence_line[s], rows_of(file, s));
      } else {
        end_sequence(file.is_labelled, file.sentence_line[s]);
      }
    }
    if (split != "train") warn_of_unseen(source.path(), counts, token_attributes_.counts_words());
  }

  // Returns "Confidence NN B-NP " and a line end for each row. The guess is inserted before it.
  static PredictedRows rows_of(const ConllFile& file, std::size_t number) {
    PredictedRows rows;
    const Sentence sentence = file.sentence(number);
    for (std::size_t position = 0; position < sentence.length; ++position) {
      for (std::size_t column = 0; column < sentence.columns; ++column) {
        rows.text += sentence.value(position, column);
        rows.text += file.separator;
      }
      if (file.is_labelled) {
        rows.text += file.labels[file.sentence_from[number] + position];
        rows.text += file.separator;
      }
      rows.places.push_back(rows.text.size());
      rows.text += '\n';
    }
    return rows;
  }

  const std::vector<std::string> columns_;
  const std::vector<std::string> templates_;
  Attributes token_attributes_;
  const std::size_t train_sentences_;  // 0: all
  sculpt::ExampleWeights weights_;
};

}  // namespace

SCULPT_PLUGIN("conll", "1.1.0", "Apache-2.0", sculpt::Dataset<Conll>, sculpt::Dataset<CrfSuite>)
