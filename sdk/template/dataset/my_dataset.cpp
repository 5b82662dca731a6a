// my_dataset.cpp - a dataset of sentences whose words have tags.
//
//   x: one site a word. It has one feature, the word itself
//   y: the tag of each word
//
// It offers its inputs as sites, so features of other libraries, such as chain, can use them.
// README.md says more.
#include <sculpt/cpp/name_list.hpp>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>
#if 0  // for optional methods
#include <sculpt/cpp/edge_kinds.hpp>
#endif

class MyDataset {
 public:
  static constexpr sculpt::About about{"org.example.my_dataset", "1.0.0",
                                       "sentences of tagged words"};
  static constexpr sculpt_parameter parameters[] = {sculpt::boolean(
      "edges", "false",
      "joins neighbours by edges, for the features graph; chain joins them itself")};
  // `sculpt check` tests the library with these. They have an empty sentence, two of equal size, a
  // sentence without tags, and both values of `edges`.
  static constexpr const char* experiments[] = {
      R"({
        "dataset": {"use": "my_dataset", "train": {"text":
          "the/D dog/N barks/V\n-\na/D cat/N\nthe/D cats/N sleep/V well/A\nthe/V\nthe/D\n"}},
        "features": "chain", "loss": "hamming", "oracle": "viterbi",
        "solver": {"use": "n_slack", "C": 10}})",
      R"({
        "dataset": {"use": "my_dataset", "edges": true, "train": {"text":
          "the/D dog/N barks/V\nthe cat sleeps\nbarks/V\n"}},
        "features": "graph", "loss": "hamming", "oracle": "viterbi",
        "solver": {"use": "n_slack", "C": 10}})"};

  MyDataset(const sculpt::Parameters& values, sculpt::Host host)
      : has_edges_(values.boolean("edges")), host_(host) {}

  // One sentence a line, word/tag word/tag ... A sentence without tags is unlabelled. A line with -
  // alone is the empty sentence.
  void load(std::string_view split, const sculpt::Source& source) {
    sculpt::LineReader reader(source);
    std::vector<Sentence> sentences;
    while (reader.next()) {
      if (!reader.fields().empty()) sentences.push_back(read(reader));
    }
    // A trap: after restore() nothing is learned, also if the data are the training data again.
    if (split == "train" && !is_restored_) learn(sentences);
    store_.begin_split(split, source.path());
    std::int64_t unknown_words = 0;
    for (const Sentence& sentence : sentences) unknown_words += add(sentence, source.path());
    if (unknown_words > 0) {
      host_.log(std::to_string(unknown_words) + " words of the split " + std::string(split) +
                " are not in the training data and have no feature");
    }
  }
  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  // What is lent here may move while splits are loaded, but not after the last load.
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }

  // The extension sites: the inputs, for features of other libraries.
  std::int64_t feature_count() const { return words_.size(); }
  std::int32_t state_count() const { return tags_.size(); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << words_.name(feature);
  }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << tags_.name(state); }

  // The text that `sculpt predict` prints, and back.
  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    if (y.empty()) out << "-";
    for (std::size_t t = 0; t < y.size(); ++t) out << (t > 0 ? " " : "") << tags_.name(y[t]);
  }
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
    const std::int64_t size = store_.sites(example).site_count;
    tags_.parse(size == 0 && text == "-" ? "" : text, size, out);
  }
  // The file and line of an example, for messages.
  std::string place(std::int64_t example) const { return store_.place(example); }

  // What was learned from the training data, for the model.
  void save(sculpt::StateWriter& out) const {
    out.integer(state_version);
    words_.save(out);
    tags_.save(out);
  }
  void restore(sculpt::StateReader& in) {
    if (in.integer() != state_version) in.damaged();
    words_.restore(in);
    tags_.restore(in);
    is_restored_ = true;
  }

  // --- Optional methods --------------------------------------------------------------------------
  // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
  void seal();  // ends the setup
  // The shape of the outputs, for features that do not know it.
  sculpt::OutputShape output_shape(std::int64_t example) const;
  std::int64_t variable_count() const;  // labels of an output, if it has not one label a site
  // How much a training example counts: at least 0, and not all 0. The slack costs so many times as
  // much; metrics and predictions do not change. example_weights.hpp reads a file of weights.
  double example_weight(std::int64_t example) const;
  // The parts of an output, for losses such as f1; and the part that a label is, or -1.
  void items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const;
  std::int64_t item_of_label(std::int64_t example, std::int64_t variable, std::int32_t state) const;
  // Kinds of edges, each with weights of its own.
  std::int32_t edge_kind_count() const;
  void edge_kind_name(std::int32_t kind, sculpt::ByteOutput& out) const;
  const std::int32_t* edge_kinds(std::int64_t example) const;
  // Metrics, made of sums over the examples. A guess that is not known() is entirely wrong.
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("accuracy", "share of the labels that are right")};
  static constexpr std::int64_t sum_count = 2;
  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;
  void finish_metrics(std::span<const double> sums, std::span<double> values) const;
  // Adds the parameter `scaling`, for rows of numbers: scaling.hpp.
  sculpt::SiteStore& scaled_rows();
  // Extensions that may still change are offered only if they are listed.
  using drafts = sculpt::Drafts<sculpt::EdgeKinds>;
  // Tables that the SDK does not know by methods: own_extensions.hpp.
  static constexpr const char* extensions[] = {"org.example.my_dataset/1"};
  const void* extension(const char* id) const;
#endif

 private:
  static constexpr std::int64_t state_version = 1;  // of what save() writes

  struct Word {
    std::string text;
    std::string tag;
    std::size_t column;
  };
  struct Sentence {
    std::vector<Word> words;
    std::int64_t line;
    bool is_labelled = true;
  };

  static Sentence read(sculpt::LineReader& reader) {
    Sentence sentence;
    sentence.line = reader.number();
    const std::vector<sculpt::Field>& fields = reader.fields();
    if (fields.size() == 1 && fields[0].text == "-") return sentence;
    std::size_t tagged = 0;
    for (const sculpt::Field& field : fields) {
      const std::size_t slash = field.text.rfind('/');
      const bool has_tag = slash != std::string_view::npos;
      Word& word = sentence.words.emplace_back();
      word.text = field.text.substr(0, slash);
      if (has_tag) word.tag = field.text.substr(slash + 1);
      word.column = field.column;
      if (word.text.empty() || (has_tag && word.tag.empty())) {
        throw reader.error(field.column, "write a word as word/tag, or as word without a tag");
      }
      tagged += has_tag ? 1 : 0;
    }
    sentence.is_labelled = tagged == fields.size();
    if (tagged > 0 && !sentence.is_labelled) {
      throw reader.error(0, "has words with and without a tag; tag all words of a line or none");
    }
    return sentence;
  }

  // The numbers of a NameList do not depend on the order of the data.
  void learn(const std::vector<Sentence>& sentences) {
    for (const Sentence& sentence : sentences) {
      for (const Word& word : sentence.words) {
        words_.add(word.text);
        if (sentence.is_labelled) tags_.add(word.tag);
      }
    }
    words_.finish();
    tags_.finish();
  }

  // Keeps a sentence. Returns the number of words that training did not have.
  std::int64_t add(const Sentence& sentence, const std::string& path) {
    std::int64_t unknown_words = 0;
    std::vector<std::int32_t> y;
    for (const Word& word : sentence.words) {
      const std::int32_t feature = words_.find(word.text);
      if (feature < 0) ++unknown_words;
      if (feature >= 0) store_.add(feature, 1);  // the indices of a row increase
      store_.end_site();
      if (!sentence.is_labelled) continue;
      y.push_back(tags_.find(word.tag));
      if (y.back() >= 0) continue;
      throw sculpt::data_error(path + ":" + std::to_string(sentence.line) + ":" +
                               std::to_string(word.column + 1) + ": the training data " +
                               tags_.text() + " has no tag " + sculpt::shown(word.tag));
    }
    for (std::size_t t = 1; has_edges_ && t < sentence.words.size(); ++t) {
      store_.add_edge(static_cast<std::int32_t>(t - 1), static_cast<std::int32_t>(t));
    }
    // A trap: Labels() is an unlabelled example, Labels of an empty vector the empty output.
    store_.end_example(sentence.is_labelled ? sculpt::Labels(y) : sculpt::Labels(), sentence.line);
    return unknown_words;
  }

  bool has_edges_;
  sculpt::Host host_;
  bool is_restored_ = false;
  sculpt::NameList words_;
  sculpt::NameList tags_;
  sculpt::SiteStore store_;
};

SCULPT_PLUGIN("my_dataset", "1.0.0", "MIT", sculpt::Dataset<MyDataset>)
