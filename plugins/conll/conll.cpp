// conll.cpp - the dataset of files with one token a row: columns, the last of them the label.
//
// A token is a site, a sentence is an example. Templates turn the columns of a token and its
// neighbours into attributes; each is an input feature with value 1. Labels and attributes are
// learned from the split "train" and saved in the model. The file format is that of the shared
// tasks, Tjong Kim Sang & Buchholz, CoNLL-2000. The templates follow CRF++ (Kudo, 2005).
#include "attributes.hpp"
#include "label_set.hpp"
#include "template_reader.hpp"

#include <sculpt/cpp/example_weights.hpp>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

#include <limits>
#include <map>

namespace {

class Conll {
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
      sculpt::integer("cutoff", "1", 1, max_count,
                      "drops attributes that occur less often than this in the training data"),
      sculpt::integer("train_sentences", "0", 0, max_count,
                      "learns only from this many sentences at the beginning of `train`; 0: from "
                      "all",
                      "sentences"),
      sculpt::choice("unseen_labels", R"("refuse")", "refuse|wrong",
                     "labels that only other data have; refuse: they are errors; wrong: every "
                     "guess for them counts as wrong"),
      sculpt::example_weights()};
  static constexpr sculpt_metric metrics[] = {
      sculpt::lower_is_better("token_error", "share of the tokens with a wrong label"),
      sculpt::higher_is_better("chunk_precision",
                               "share of the guessed chunks that are right, as conlleval counts"),
      sculpt::higher_is_better("chunk_recall",
                               "share of the true chunks that are found, as conlleval counts"),
      sculpt::higher_is_better("chunk_f1", "harmonic mean of chunk_precision and chunk_recall")};
  static constexpr std::int64_t sum_count =
      5;  // wrong tokens, tokens, chunks: right, guessed, true
  static constexpr const char* experiments[] = {R"({
    "name": "conll_three_sentences",
    "dataset": {"use": "conll", "templates": ["w[-1..1]", "pos[0]", "pos[-1]|pos[0]"],
                "train": {"text":
      "the DT B-NP\ncat NN I-NP\nsleeps VBZ B-VP\n\nit PRP B-NP\nsleeps VBZ B-VP\n. . O\n"},
                "test": {"text": "the DT B-NP\ndog NN I-NP\nsleeps VBZ B-VP\n. . O\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1}})"};

  Conll(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        columns_(checked_columns(given.texts("columns"))),
        templates_(given.texts("templates")),
        attributes_(read_templates(templates_, columns_), columns_.front()),
        cutoff_(given.integer("cutoff")),
        train_sentences_(static_cast<std::size_t>(given.integer("train_sentences"))),
        refuse_unseen_labels_(given.choice("unseen_labels") == "refuse"),
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
    if (labels_.size() == 0) {
      if (split != "train") {
        throw sculpt::Error(SCULPT_E_INVALID,
                            "has no labels before the split 'train' is loaded; load it first");
      }
      learn(file, sentences, reader, source);
    }
    append(split, file, sentences, reader, source);
    if (split == "train") weights_.read(store_.split(split).begin, file.sentences());
  }

  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  double example_weight(std::int64_t example) const { return weights_.of(example); }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }

  std::int64_t feature_count() const { return attributes_.size(); }
  std::int32_t state_count() const { return labels_.size(); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << labels_.text(state); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    if (feature < 0 || feature >= feature_count()) {
      throw sculpt::Error(SCULPT_E_INVALID, "there is no attribute " + std::to_string(feature));
    }
    out << attributes_.text(feature);
  }

  // Text is the rows of the sentence with the label added, each with its line end. For examples
  // outside the split "predict", it is the labels separated by blanks.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
    const std::int64_t number = example - first_predicted_;
    if (number < 0 || number >= static_cast<std::int64_t>(predicted_rows_.size())) {
      for (std::size_t t = 0; t < y.size(); ++t) out << (t > 0 ? " " : "") << labels_.text(y[t]);
      return;
    }
    std::string_view rows = predicted_rows_[static_cast<std::size_t>(number)];
    const auto tokens = static_cast<std::int64_t>(std::count(rows.begin(), rows.end(), '\n'));
    if (tokens != y.count()) {
      throw sculpt::Error(SCULPT_E_INVALID, "the output has " + std::to_string(y.count()) +
                                                " labels for " + std::to_string(tokens) +
                                                " tokens; give one label for each token");
    }
    for (const std::int32_t state : y) {
      const std::size_t end = rows.find('\n');
      out << rows.substr(0, end) << labels_.text(state) << "\n";
      rows.remove_prefix(end + 1);
    }
  }
  // Parses labels separated by blanks or, if there are line ends, the last word of each line.
  void parse(std::int64_t, std::string_view text, sculpt::LabelOutput& out) const {
    constexpr std::string_view blanks = " \t\r";
    const bool has_rows = text.find('\n') != std::string_view::npos;
    std::vector<std::int32_t> y;
    while (!text.empty()) {
      std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      line = line.substr(0, line.find_last_not_of(blanks) + 1);
      if (has_rows) line.remove_prefix(line.find_last_of(blanks) + 1);  // npos + 1 is 0
      for (std::size_t begin = line.find_first_not_of(blanks); begin < line.size();) {
        const std::size_t end = std::min(line.size(), line.find_first_of(blanks, begin));
        y.push_back(parse_label(line.substr(begin, end - begin)));
        begin = line.find_first_not_of(blanks, end);
      }
    }
    out.assign(y);
  }

  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    if (guess.known() && truth.size() != guess.size()) {
      throw sculpt::Error(SCULPT_E_INVALID, "the truth has " + std::to_string(truth.count()) +
                                                " labels and the guess " +
                                                std::to_string(guess.count()));
    }
    ChunkCounter chunks;
    for (std::size_t t = 0; t < truth.size(); ++t) {
      const std::int32_t true_label = truth[t] >= 0 ? truth[t] : unseen_label(example, t);
      sums[0] += guess.known() && true_label == guess[t] ? 0 : 1;
      chunks.add(labels_.tag(true_label), guess.known() ? labels_.tag(guess[t]) : ChunkTag());
    }
    chunks.end_sentence();
    sums[1] += static_cast<double>(truth.count());
    sums[2] += static_cast<double>(chunks.correct_count());
    sums[3] += static_cast<double>(chunks.guess_count());
    sums[4] += static_cast<double>(chunks.truth_count());
  }
  // A share without guessed or true chunks is 0, as in conlleval.
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
    const auto share = [&](double part, double whole) { return whole > 0 ? part / whole : 0; };
    values[0] = sums[1] > 0 ? sums[0] / sums[1] : undefined;
    const bool has_chunks = labels_.all_are_chunk_labels() && sums[3] + sums[4] > 0;
    values[1] = has_chunks ? share(sums[2], sums[3]) : undefined;
    values[2] = has_chunks ? share(sums[2], sums[4]) : undefined;
    values[3] = has_chunks ? 2 * sums[2] / (sums[3] + sums[4]) : undefined;
  }

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
    const std::int64_t found = attributes_.learn(file, sentences, cutoff_);
    if (cutoff_ > 1) {
      host_.log(source.path() + ": kept " + std::to_string(attributes_.size()) + " of " +
                std::to_string(found) + " attributes, those that occur " + std::to_string(cutoff_) +
                " times or more");
    }
    if (sentences < file.sentences()) {
      host_.log(source.path() + ": learns from the first " + std::to_string(sentences) + " of " +
                std::to_string(file.sentences()) + " sentences");
    }
  }

  // Adds the sentences as another split.
  void append(std::string_view split, const ConllFile& file, std::size_t sentences,
              const sculpt::LineReader& reader, const sculpt::Source& source) {
    store_.begin_split(split, source.path());
    if (split == "predict") first_predicted_ = count();
    Attributes::Counts counts;
    std::int64_t unseen_labels = 0;
    std::vector<std::int32_t> truth;
    for (std::size_t s = 0; s < sentences; ++s) {
      const Sentence sentence = file.sentence(s);
      truth.clear();
      for (std::size_t position = 0; position < sentence.length; ++position) {
        for (const std::int32_t number : attributes_.find(sentence, position, counts)) {
          store_.add(number, 1);
        }
        store_.end_site();
        if (!file.is_labelled) continue;
        truth.push_back(state_of(file, file.sentence_from[s] + position, reader));
        if (truth.back() < 0) {
          record_unseen(position, file.labels[file.sentence_from[s] + position]);
          ++unseen_labels;
        }
      }
      if (split == "predict") store_rows(file, s);
      store_.end_example(file.is_labelled ? sculpt::Labels(truth) : sculpt::Labels(),
                         file.sentence_line[s]);
    }
    if (split != "train") report(source.path(), counts, unseen_labels);
  }

  // Returns -1 for a label that does not occur in training, unless it is refused.
  std::int32_t state_of(const ConllFile& file, std::size_t row,
                        const sculpt::LineReader& reader) const {
    const std::int32_t state = labels_.find(file.labels[row]);
    if (state >= 0 || !refuse_unseen_labels_) return state;
    throw reader.error_at(file.label_places[row].line, file.label_places[row].column,
                          "label " + sculpt::shown(file.labels[row]) +
                              " does not occur in the training data " + labels_.list() +
                              "; correct it, count every guess for it as wrong (--set "
                              "dataset.unseen_labels=wrong), or remove the labels of all rows to "
                              "predict them");
  }

  // Records the label at this position of the example that is being filled.
  void record_unseen(std::size_t position, std::string_view label) {
    unseen_labels_[{count(), position}] = labels_.add_unseen(label);
  }

  // Stores "Confidence NN B-NP " and a line end for each row. format() adds the guess.
  void store_rows(const ConllFile& file, std::size_t number) {
    std::string& rows = predicted_rows_.emplace_back();
    const Sentence sentence = file.sentence(number);
    for (std::size_t position = 0; position < sentence.length; ++position) {
      for (std::size_t column = 0; column < sentence.columns; ++column) {
        rows += sentence.value(position, column);
        rows += file.separator;
      }
      if (file.is_labelled) {
        rows += file.labels[file.sentence_from[number] + position];
        rows += file.separator;
      }
      rows += '\n';
    }
  }

  // Warns about unseen attributes and labels of a file.
  void report(const std::string& path, const Attributes::Counts& counts,
              std::int64_t unseen_labels) const {
    if (counts.unseen > 0) {
      std::string text =
          path + ": ignored " + std::to_string(counts.unseen) + " of " +
          std::to_string(counts.unseen + counts.known) + " attributes, which do not occur " +
          (cutoff_ > 1 ? std::to_string(cutoff_) + " times " : "") + "in the training data";
      if (attributes_.counts_words()) {
        text += "; " + std::to_string(counts.unseen_words) + " of " + std::to_string(counts.words) +
                " words are unknown";
      }
      host_.warn(text);
    }
    if (unseen_labels > 0) {
      host_.warn(path + ": " + std::to_string(unseen_labels) +
                 " tokens have labels that do not occur in the training data " +
                 labels_.unseen_list() + "; every guess for them counts as wrong");
    }
  }

  // Returns the number of an unseen label, which is -1 in truths.
  std::int32_t unseen_label(std::int64_t example, std::size_t position) const {
    const auto found = unseen_labels_.find({example, position});
    if (found == unseen_labels_.end()) {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "the truth has a label -1 where the data has no unseen label");
    }
    return found->second;
  }

  std::int32_t parse_label(std::string_view text) const {
    const std::int32_t state = labels_.find(text);
    if (state >= 0) return state;
    throw sculpt::data_error(sculpt::shown(text) + " is not a label of the training data " +
                             labels_.list());
  }

  const sculpt::Host host_;
  const std::vector<std::string> columns_;
  const std::vector<std::string> templates_;
  Attributes attributes_;
  const std::int64_t cutoff_;
  const std::size_t train_sentences_;  // 0: all
  const bool refuse_unseen_labels_;
  sculpt::ExampleWeights weights_;
  LabelSet labels_;
  sculpt::SiteStore store_;
  std::map<std::pair<std::int64_t, std::size_t>, std::int32_t>
      unseen_labels_;                        // by example and position
  std::int64_t first_predicted_ = 0;         // first example of the split predict
  std::vector<std::string> predicted_rows_;  // [examples of the split predict]
};

}  // namespace

SCULPT_PLUGIN("conll", "1.0.0", "Apache-2.0", sculpt::Dataset<Conll>)
