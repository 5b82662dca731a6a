// texts.cpp - the dataset "label TAB text": one text and one label an example, for kernels of
// sequences.
//
// The row of an example has the symbol of place t in column t. So the kernels `subsequence` and
// `spectrum` read the text from it. The labels, and with `symbols` words the words, are learned
// from the split "train" and saved in the model.
#include <sculpt/cpp/cached_arrays.hpp>
#include <sculpt/cpp/name_list.hpp>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/cpp/text_parts.hpp>
#include <sculpt/cpp/unseen_labels.hpp>
#include <sculpt/sculpt.hpp>

#include "symbol_reader.hpp"

namespace {

class Texts {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.texts", "1.0.0",
      "one text a line, for kernels of sequences: the label, a tabulator, the text"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("symbols", R"("characters")", "characters|words",
                     "what the kernel compares: the characters of a text, blanks included, or its "
                     "words, which blanks separate"),
      sculpt::integer("longest", "100000", 1, 1000000000, "the longest text that is accepted",
                      "symbols"),
      sculpt::unseen_labels()};
  using drafts = sculpt::Drafts<sculpt::PartsAreLines, sculpt::CachedArrays>;
  static constexpr const char* experiments[] = {R"({
    "name": "texts_four_words",
    "dataset": {"use": "texts", "longest": 12,
                "train": {"text": "cat\tcar cat\ncat\tcart\nbat\tbar\nbat\tbat rat\n"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "viterbi",
    "kernel": {"use": "subsequence", "length": 2}, "solver": {"use": "n_slack", "C": 4}})"};

  Texts(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        longest_(given.integer("longest")),
        on_unseen_label_(sculpt::unseen_labels_of(given)),
        symbols_(given.choice("symbols") == "words") {}

  void load(std::string_view split, const sculpt::Source& source) {
    store_.begin_split(split, source.path());
    sculpt::LineReader reader(source);
    const std::vector<Line> lines = read_lines(reader, split == "predict");
    if (lines.empty() && split != "predict") {
      throw reader.error_at(1, 0, "no examples; write a label, a tabulator and a text a line");
    }
    if (labels_.size() == 0) learn(lines, split, reader);
    std::vector<std::int32_t> symbols;
    for (const Line& line : lines) {
      symbols_.read(line.text, symbols);
      append(line, symbols, reader);
    }
    warn_of_unseen(source.path());
  }

  // What load() fills (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(store_);
  }

  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }

  std::int64_t feature_count() const { return longest_; }
  std::int32_t state_count() const { return labels_.size(); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << labels_.name(state); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << "symbol " << feature + 1;
  }

  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    if (y.size() != 1) throw sculpt::Error(SCULPT_E_INVALID, "an output has one label");
    out << labels_.name(y[0]);
  }
  void parse(std::int64_t, std::string_view text, sculpt::LabelOutput& out) const {
    const std::int32_t state = labels_.find(text);
    if (state < 0) {
      throw sculpt::data_error(sculpt::shown(text) + " is not a label of the training data " +
                               labels_.text());
    }
    out.resize(1)[0] = state;
  }

  void save(sculpt::StateWriter& writer) const {
    writer.integer(state_version);
    labels_.save(writer);
    symbols_.save(writer);
  }
  void restore(sculpt::StateReader& reader) {
    if (reader.integer() != state_version) reader.damaged();
    labels_.restore(reader);
    symbols_.restore(reader);
    if (labels_.size() == 0) reader.damaged();
  }

 private:
  static constexpr std::int64_t state_version = 1;

  // A line of a file, which the reader keeps. An empty label: unlabelled.
  struct Line {
    std::string_view label;
    std::string_view text;
    std::int64_t number;
  };

  // Skips empty lines. Without a tabulator, a line is a text to predict, and refused in other
  // splits.
  static std::vector<Line> read_lines(sculpt::LineReader& reader, bool predicts) {
    std::vector<Line> lines;
    while (reader.next()) {
      const std::string_view line = reader.line();
      if (line.empty()) continue;
      const std::size_t wrong = texts::valid_length(line);
      if (wrong < line.size()) {
        throw reader.error(wrong, line[wrong] == '\0'
                                      ? "a character 0, which no text has; remove it"
                                      : "not UTF-8; convert the file, for example by iconv");
      }
      const std::size_t tab = line.find('\t');
      if (tab != std::string_view::npos) {
        lines.push_back({line.substr(0, tab), line.substr(tab + 1), reader.number()});
      } else if (predicts) {
        lines.push_back({{}, line, reader.number()});
      } else {
        throw reader.error(0,
                           "no tabulator; write the label, a tabulator and the text. A line that "
                           "begins with the tabulator has no label");
      }
    }
    return lines;
  }

  void learn(const std::vector<Line>& lines, std::string_view split,
             const sculpt::LineReader& reader) {
    if (split != "train") {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "has no labels before the split 'train' is loaded; load it first");
    }
    for (const Line& line : lines) {
      if (!line.label.empty()) labels_.add(line.label);
      symbols_.learn(line.text);
    }
    labels_.finish();
    symbols_.finish();
    if (labels_.size() > 0) return;
    throw reader.error_at(lines[0].number, 0,
                          "no line has a label, so there is nothing to learn; write it before the "
                          "tabulator");
  }

  void append(const Line& line, const std::vector<std::int32_t>& symbols,
              const sculpt::LineReader& reader) {
    if (std::ssize(symbols) > longest_) {
      throw reader.error_at(line.number, 0,
                            "the text has " + std::to_string(symbols.size()) +
                                " symbols, but `longest` is " + std::to_string(longest_) +
                                "; cut the text, or train with a larger `longest`");
    }
    for (std::size_t t = 0; t < symbols.size(); ++t) {
      store_.add(static_cast<std::int32_t>(t), symbols[t]);
    }
    store_.end_site();
    const std::int32_t state = line.label.empty() ? -1 : state_of(line, reader);
    store_.end_example(state == -1 ? sculpt::Labels() : sculpt::Labels(&state, 1), line.number);
  }

  // Returns the label of a line; -1 if the label counts as none. Throws E_DATA for an unseen label,
  // unless the parameter says what it stands for.
  std::int32_t state_of(const Line& line, const sculpt::LineReader& reader) {
    const std::int32_t state = labels_.find(line.label);
    if (state >= 0) return state;
    if (on_unseen_label_ == sculpt::UnseenLabels::refuse) {
      throw reader.error_at(line.number, 0,
                            "label " + sculpt::shown(line.label) +
                                " does not occur in the training data " + labels_.text() + "; " +
                                sculpt::unseen_label_remedies + "remove it to predict the text");
    }
    ++unseen_in_split_;
    return on_unseen_label_ == sculpt::UnseenLabels::wrong ? sculpt::unseen_label : -1;
  }

  void warn_of_unseen(const std::string& path) {
    const std::string text = sculpt::unseen_labels_text("text", unseen_in_split_, on_unseen_label_);
    if (!text.empty()) host_.warn(path + ": " + text);
    unseen_in_split_ = 0;
  }

  const sculpt::Host host_;
  const std::int64_t longest_;
  const sculpt::UnseenLabels on_unseen_label_;
  std::int64_t unseen_in_split_ = 0;  // texts with unseen labels
  texts::SymbolReader symbols_;
  sculpt::NameList labels_;
  sculpt::SiteStore store_;
};

}  // namespace

SCULPT_PLUGIN("texts", "1.0.0", "Apache-2.0", sculpt::Dataset<Texts>)
