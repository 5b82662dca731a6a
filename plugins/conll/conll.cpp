// conll.cpp - the dataset of files with one token a row: columns, the last of them the label.
//
// A token is a site, a sentence is an example. Templates turn the columns of a token and its
// neighbours into attributes; each is an input feature with value 1. Labels and attributes are
// learned from the split "train" and saved in the model. The file format is that of the shared
// tasks, Tjong Kim Sang & Buchholz, CoNLL-2000. The templates follow CRF++ (Kudo, 2005).
#include "attributes.hpp"
#include "conllu_file.hpp"
#include "crfsuite.hpp"
#include "pattern_reader.hpp"
#include "template_reader.hpp"
#include "token_sequences.hpp"

#include <sculpt/cpp/example_weights.hpp>
#include <sculpt/cpp/held_text.hpp>
#include <sculpt/sculpt.hpp>

#include <algorithm>

namespace {

class Conll : public TokenSequences {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.conll", "1.2.0",
      "one token a row, blank lines between sentences; templates make the attributes",
      "Tjong Kim Sang and Buchholz, CoNLL-2000"};
  static constexpr double max_count = 2147483647;
  // As JSON text, with a blank after each comma.
  static constexpr const char* default_templates =
      R"(["w[-2..2]", "w[-1]|w[0]", "w[0]|w[1]", "pos[-2..2]",)"
      R"( "pos[-2]|pos[-1]", "pos[-1]|pos[0]", "pos[0]|pos[1]", "pos[1]|pos[2]",)"
      R"( "pos[-2]|pos[-1]|pos[0]", "pos[-1]|pos[0]|pos[1]", "pos[0]|pos[1]|pos[2]"])";
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("format", R"("columns")", "columns|conllu",
                     "columns: those that `columns` names, then the label; conllu: CoNLL-U, with "
                     "its ten columns, comments, ranges and empty nodes"),
      sculpt::list_of(
          sculpt::text("columns", R"(["w", "pos"])", "names of the columns before the label")),
      sculpt::needs(sculpt::choice("label", R"("upos")", "upos|xpos|feats|deprel",
                                   "the column of CoNLL-U that is the label"),
                    R"(format="conllu")"),
      sculpt::list_of(sculpt::text(
          "templates", default_templates,
          "attributes of a token: columns of the rows around it, alone or joined; also "
          "lower(w[0]), shape(w[0]), prefix(w[0],1..4), suffix(w[0],3)")),
      sculpt::list_of(sculpt::text(
          "patterns", "null",
          "attributes of a token as CRF++ and Wapiti write them, instead of templates: "
          "U01:%x[-1,0]/%x[0,0]")),
      sculpt::path("pattern_file", "null", "a file of such patterns, one a line"),
      cutoff_parameter(),
      sculpt::integer("train_sentences", "0", 0, max_count,
                      "learns only from this many sentences at the beginning of `train`; 0: from "
                      "all",
                      "sentences"),
      sculpt::unseen_labels(),
      sculpt::example_weights()};
  using drafts = sculpt::Drafts<sculpt::PartsEndWithBlankLines, sculpt::CachedArrays>;
  static constexpr const char* experiments[] = {R"({
    "name": "conll_three_sentences",
    "dataset": {"use": "conll", "templates": ["w[-1..1]", "pos[0]", "pos[-1]|pos[0]"],
                "train": {"text":
      "the DT B-NP\ncat NN I-NP\nsleeps VBZ B-VP\n\nit PRP B-NP\nsleeps VBZ B-VP\n. . O\n"},
                "test": {"text": "the DT B-NP\ndog NN I-NP\nsleeps VBZ B-VP\n. . O\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1}})",
                                                R"({
    "name": "conll_patterns_of_conllu",
    "dataset": {"use": "conll", "format": "conllu", "patterns": ["U0:%x[0,1]", "U1:%x[-1,1]", "B"],
                "train": {"text":
      "# 1\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t_\t_\t_\t_\n2\tel\t_\tDET\t_\t_\t_\t_\t_\t_\n\n1\tsol\t_\tNOUN\t_\t_\t_\t_\t_\t_\n"},
                "test": {"text":
      "1\tel\t_\tDET\t_\t_\t_\t_\t_\t_\n2\tsol\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2.1\tes\t_\t_\t_\t_\t_\t_\t_\t_\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1}})"};

  Conll(const sculpt::Parameters& given, sculpt::Host host)
      : TokenSequences(given, host,
                       {" \t", given.choice("format") == "conllu"
                                   ? "write _ in place of the labels of all rows"
                                   : "remove the labels of all rows"}),
        is_conllu_(given.choice("format") == "conllu"),
        label_(given.choice("label")),
        columns_(is_conllu_ ? conllu_columns() : checked_columns(given.texts("columns"))),
        templates_(given.texts("templates")),
        patterns_(given, "patterns", "pattern_file"),
        token_attributes_(attributes_),
        train_sentences_(static_cast<std::size_t>(given.integer("train_sentences"))),
        weights_(given) {
    // A model names all its parameters, so their values are compared with the defaults.
    if (is_conllu_ && given.texts("columns") != std::vector<std::string>{"w", "pos"}) {
      throw sculpt::parameter_error(
          "columns and the format conllu are both set; CoNLL-U has its own columns, so remove "
          "`columns`");
    }
    if (has_default_templates()) return;  // Then a model may have patterns in its state.
    if (patterns_.present()) {
      throw sculpt::parameter_error("templates and patterns are both set; remove one of them");
    }
    use_templates(read_templates(templates_, columns_));
  }

  void load(std::string_view split, const sculpt::Source& source) {
    prepare_templates();
    sculpt::LineReader reader(source);
    const ConllFile file = is_conllu_ ? read_conllu_file(reader, column_of(label_))
                                      : read_conll_file(reader, columns_);
    if (file.sentences() == 0 && split != "predict") {
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
  // What load() fills (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    TokenSequences::cached(cache);
    cache(weights_);
  }

  // Of CoNLL-U, the labels are in their column.
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
    const bool has_rows = is_conllu_ && text.find('\n') != std::string_view::npos;
    TokenSequences::parse(example, has_rows ? labels_in(text) : std::string(text), out);
  }

  void save(sculpt::StateWriter& writer) const {
    writer.integer(patterns_.present() ? version_with_patterns : version_with_templates);
    writer.texts(learned_columns());
    writer.texts(templates_);
    if (patterns_.present()) patterns_.save(writer);
    labels_.save(writer);
    attributes_.save(writer);
  }
  void restore(sculpt::StateReader& reader) {
    const std::int64_t version = reader.integer();
    if (version != version_with_templates && version != version_with_patterns) reader.damaged();
    require_same(is_conllu_ ? "format` and `label" : "columns", reader.texts(), learned_columns());
    require_same("templates", reader.texts(), templates_);
    restore_patterns(reader, version == version_with_patterns);
    labels_.restore(reader);
    attributes_.restore(reader);
  }

 private:
  static constexpr std::int64_t version_with_templates = 2;
  static constexpr std::int64_t version_with_patterns = 3;

  bool has_default_templates() const {
    std::string text;
    for (const std::string& entry : templates_) {
      text += (text.empty() ? "[\"" : ", \"") + entry + "\"";
    }
    return text + "]" == default_templates;
  }

  // What the columns are. The name of the label follows those of CoNLL-U.
  std::vector<std::string> learned_columns() const {
    std::vector<std::string> names = columns_;
    if (is_conllu_) names.push_back("label " + label_);
    return names;
  }
  std::size_t column_of(const std::string& name) const {
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), name) -
                                    columns_.begin());
  }

  // Reads the templates or patterns, unless that is done.
  void prepare_templates() {
    if (token_attributes_.has_templates()) return;
    if (!patterns_.present()) {
      require_columns_of_defaults();
      return use_templates(read_templates(templates_, columns_));
    }
    sculpt::LineReader reader(patterns_.source());
    use_templates(read_patterns(reader, columns_));
  }
  // The user did not write the default templates, so a message must not count them.
  void require_columns_of_defaults() const {
    if (!has_default_templates()) return;
    for (const char* const column : {"w", "pos"}) {
      if (column_of(column) < columns_.size()) continue;
      throw sculpt::parameter_error(
          std::string("the default templates read the columns w and pos, but there is no column ") +
          column + "; set `templates`, such as [\"" + columns_.front() +
          "[-1..1]\"], or `patterns`");
    }
  }
  void use_templates(std::vector<AttributeTemplate> templates) {
    token_attributes_.use(std::move(templates), is_conllu_ ? column_of("form") : 0);
    if (is_conllu_ && token_attributes_.reads(column_of(label_))) {
      throw sculpt::parameter_error("the templates or patterns read the column " + label_ +
                                    ", which is the label; use other columns, or choose another "
                                    "`label`");
    }
  }

  // Returns the labels of rows of CoNLL-U, separated by blanks.
  std::string labels_in(std::string_view text) const {
    const sculpt_source rows{sizeof(sculpt_source), 0, "text", text.data(),
                             static_cast<std::int64_t>(text.size())};
    sculpt::LineReader reader{sculpt::Source(rows)};
    std::string labels;
    for (const std::string_view label : read_conllu_file(reader, column_of(label_)).labels) {
      labels.append(label) += ' ';
    }
    return labels;
  }

  // `are_learned`: whether the state has patterns. Patterns that are given must be the same.
  void restore_patterns(sculpt::StateReader& reader, bool are_learned) {
    const bool are_given = patterns_.present();
    const std::string given = are_given ? patterns_.source().read() : "";
    if (are_learned) patterns_.restore(reader);
    const std::string learned = are_learned && patterns_.present() ? patterns_.source().read() : "";
    if (are_learned && learned.empty()) reader.damaged();
    if (are_given) require_same("patterns", {learned}, {given});
  }

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
    if (!file.is_labelled && is_conllu_) {
      throw reader.error_at(1, 0,
                            "every row has _ as its " + label_ +
                                ", so there is nothing to learn; write the labels, or choose "
                                "another `label`");
    }
    if (!file.is_labelled) {
      throw reader.error_at(1, 0,
                            "the rows have no label after their " +
                                std::to_string(columns_.size()) +
                                " columns, so there is nothing to learn; add it, or list only "
                                "the columns before it in `columns`");
    }
    for (std::size_t row = 0; row < file.sentence_from[sentences]; ++row) {
      const LabelPlace& place = file.label_places[row];
      learn_label(file.labels[row], reader, place.line, place.column);
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
        add_values(token_attributes_.find(sentence, position, counts));
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

  // Returns the lines of a sentence of CoNLL-U without its labels, with a place for each guess.
  static PredictedRows conllu_rows_of(const ConllFile& file, std::size_t number) {
    PredictedRows rows;
    for (std::size_t k = file.line_from[number]; k < file.line_from[number + 1]; ++k) {
      const ConlluLine& line = file.lines[k];
      rows.text += line.text.substr(0, line.label_from);
      if (line.label_size > 0) rows.places.push_back(rows.text.size());
      rows.text += line.text.substr(line.label_from + line.label_size);
      rows.text += '\n';
    }
    return rows;
  }

  // Adds attributes, which are sorted. The value is how often one occurs.
  void add_values(const std::vector<std::int32_t>& numbers) {
    for (auto first = numbers.begin(); first != numbers.end();) {
      const auto next = std::upper_bound(first, numbers.end(), *first);
      add_value(*first, static_cast<double>(next - first));
      first = next;
    }
  }

  // Returns "Confidence NN B-NP " and a line end for each row. The guess is inserted before it.
  static PredictedRows rows_of(const ConllFile& file, std::size_t number) {
    if (!file.lines.empty()) return conllu_rows_of(file, number);
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

  const bool is_conllu_;
  const std::string label_;  // a column of CoNLL-U
  const std::vector<std::string> columns_;
  const std::vector<std::string> templates_;
  sculpt::HeldText patterns_;
  Attributes token_attributes_;
  const std::size_t train_sentences_;  // 0: all
  sculpt::ExampleWeights weights_;
};

}  // namespace

SCULPT_PLUGIN("conll", "1.1.0", "Apache-2.0", sculpt::Dataset<Conll>, sculpt::Dataset<CrfSuite>)
