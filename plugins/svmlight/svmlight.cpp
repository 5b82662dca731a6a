// svmlight.cpp - the dataset "label index:value ... # comment": one site and one label an example.
//
// The classes and the number of features are learned from the split "train" and saved in the model.
// The format is that of SVM-light, Joachims, 1998 (svmlight.joachims.org).
#include <sculpt/cpp/cached_arrays.hpp>
#include <sculpt/cpp/example_weights.hpp>
#include <sculpt/cpp/index_base.hpp>
#include <sculpt/cpp/svmlight_rows.hpp>
#include <sculpt/cpp/text_parts.hpp>
#include <sculpt/cpp/unseen_labels.hpp>
#include <sculpt/sculpt.hpp>

#include <map>

namespace {

class SvmLight {
 public:
  static constexpr sculpt::About about{"org.sculpt.svmlight", "1.0.0",
                                       "rows `label index:value ... # comment`, one label for each "
                                       "example: a whole number, then indices from 1 or 0 on that "
                                       "increase, with their values; missing values are 0",
                                       "the file format of SVM-light, Joachims 1998"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::list_of(sculpt::text(
          "labels", "[]",
          "labels in addition to those of the training data: \"7\", or \"1..63\" for all from 1 to "
          "63")),
      sculpt::first_index(), sculpt::unseen_labels(), sculpt::example_weights(),
      sculpt::list_of(sculpt::text(
          "label_weights", "[]",
          "weights of the examples of train by their label: \"7:2.5\"; 1 for other labels; an "
          "example with a weight in the file `weights` has the product of both"))};
  using drafts = sculpt::Drafts<sculpt::PartsAreLines, sculpt::CachedArrays>;
  static constexpr const char* experiments[] = {R"({
    "name": "svmlight_four_points",
    "dataset": {"use": "svmlight",
                "train": {"text": "+1 1:1 3:0.5 # a comment\n-1 2:1\n+1 1:0.5 2:0.25\n-1 3:-1\n"},
                "test": {"text": "-1 2:2\n+1 1:3 7:1\n"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1}})"};

  SvmLight(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        base_(given),
        weights_(given),
        on_unseen_label_(sculpt::unseen_labels_of(given)) {
    for (const std::string& text : given.texts("labels")) add_labels(text);
    for (const std::string& text : given.texts("label_weights")) add_label_weight(text);
  }

  void load(std::string_view split, const sculpt::Source& source) {
    store_.begin_split(split, source.path());
    sculpt::LineReader reader(source, sculpt::LineLife::until_next);
    sculpt::SvmLightRows file = sculpt::read_svmlight_rows(reader);
    if (file.rows.empty() && split != "predict") {
      throw sculpt::data_error(source.path() +
                               ":1:1: no examples; write rows such as `1 1:0.5 3:1`");
    }
    base_.apply(file.entries, reader, !learned_);
    if (!learned_) {
      if (split != "train") {
        throw sculpt::Error(SCULPT_E_INVALID,
                            "has no labels before the split 'train' is loaded; load it first");
      }
      learn(file, reader);
    }
    for (std::size_t r = 0; r < file.rows.size(); ++r) {
      const sculpt::SvmLightRow& row = file.rows[r];
      file.entries.copy_row(r, feature_count_, store_);
      store_.end_site();
      const std::int32_t state = row.labelled ? state_of(row, reader) : -1;
      store_.end_example(state == -1 ? sculpt::Labels() : sculpt::Labels(&state, 1), row.line);
    }
    warn_of_unseen(source.path());
    if (split == "train") {
      weights_.read(store_.split(split).begin, file.rows.size());
      require_known_label_weights();
    }
    file.entries.warn_of_ignored(host_, source.path(), feature_count_);
  }

  // What load() fills (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(store_, weights_);
  }

  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  double example_weight(std::int64_t example) const {
    if (label_weights_.empty()) return weights_.of(example);
    const sculpt::Labels y = truth(example);
    if (!y.known() || y[0] < 0) return weights_.of(example);
    const auto found = label_weights_.find(labels_[static_cast<std::size_t>(y[0])].value);
    return weights_.of(example) * (found == label_weights_.end() ? 1 : found->second);
  }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return feature_count_; }
  std::int32_t state_count() const { return static_cast<std::int32_t>(labels_.size()); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << text_of(state); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << "feature " << base_.index_of(feature);
  }

  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    if (y.size() != 1) throw sculpt::Error(SCULPT_E_INVALID, "an output has one label");
    out << text_of(y[0]);
  }
  void parse(std::int64_t, std::string_view text, sculpt::LabelOutput& out) const {
    const auto found = std::find_if(labels_.begin(), labels_.end(),
                                    [text](const Label& label) { return label.text == text; });
    if (found == labels_.end()) {
      throw sculpt::data_error(sculpt::shown(text) + " is not a label of the training data " +
                               list_of_labels());
    }
    out.resize(1)[0] = static_cast<std::int32_t>(found - labels_.begin());
  }

  void save(sculpt::StateWriter& writer) const {
    writer.integer(state_version);
    writer.integer(feature_count_);
    base_.save(writer);
    writer.integer(state_count());
    for (const Label& label : labels_) {
      writer.integer(label.value);
      writer.text(label.text);
    }
  }
  void restore(sculpt::StateReader& reader) {
    const std::int64_t version = reader.integer();
    if (version < 1 || version > state_version) reader.damaged();
    feature_count_ = reader.integer();
    if (feature_count_ < 0 || feature_count_ > std::numeric_limits<std::int32_t>::max()) {
      reader.damaged();
    }
    base_.restore(reader, version >= 2);
    const std::vector<Label> additional = std::move(labels_);
    labels_.resize(static_cast<std::size_t>(reader.count(2 * sizeof(std::int64_t))));
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      labels_[k].value = reader.integer();
      labels_[k].text = reader.text();
      if (k > 0 && labels_[k - 1].value >= labels_[k].value) reader.damaged();
    }
    for (const Label& label : additional) {
      if (find(label.value) != labels_.end()) continue;
      throw sculpt::parameter_error("labels has " + label.text +
                                    ", but the model was trained with the labels " +
                                    list_of_labels() + " and has no others; remove it");
    }
    learned_ = restored_ = true;
  }

 private:
  static constexpr std::int64_t state_version = 2;
  // Limit of the labels in a range, and of all labels of the parameter.
  static constexpr std::uint64_t max_additional = 1000000;

  // A class: its number, and its first text in the training data.
  struct Label {
    std::int64_t value;
    std::string text;
  };

  // Adds an entry of the parameter `labels`: "7" or "1..63".
  void add_labels(std::string_view text) {
    const std::size_t dots = text.find("..");
    const auto read_number = [&](std::string_view part) {
      std::int64_t value = 0;
      const sculpt::NumberText result = sculpt::read_whole(part, value);
      if (result == sculpt::NumberText::number) return value;
      throw sculpt::parameter_error(
          "labels has " + sculpt::shown(text) +
          (result == sculpt::NumberText::too_large
               ? ", which is too large; labels are from -9223372036854775808 to 9223372036854775807"
               : "; write a whole number, or a range such as 1..63"));
    };
    const std::int64_t first = read_number(text.substr(0, dots));
    const std::int64_t last =
        dots == std::string_view::npos ? first : read_number(text.substr(dots + 2));
    const bool too_many =
        static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) >= max_additional;
    if (last < first || too_many || labels_.size() >= max_additional) {
      throw sculpt::parameter_error(
          "labels has " + sculpt::shown(text) +
          "; a range must ascend, and at most a million labels are allowed");
    }
    labels_.push_back({first, std::to_string(first)});
    for (std::int64_t label = first; label < last;) {
      ++label;
      labels_.push_back({label, std::to_string(label)});
    }
  }

  // Adds an entry of the parameter `label_weights`: "7:2.5".
  void add_label_weight(const std::string& text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view number = std::string_view(text).substr(std::min(colon + 1, text.size()));
    std::int64_t label = 0;
    double weight = 0;
    const bool is_valid = sculpt::read_whole(std::string_view(text).substr(0, colon), label) ==
                              sculpt::NumberText::number &&
                          sculpt::read_finite(number, weight) == sculpt::NumberText::number &&
                          weight >= 0;
    if (!is_valid) {
      throw sculpt::parameter_error("label_weights has " + sculpt::shown(text) +
                                    "; write a label, a colon and a weight of at least 0, such as "
                                    "\"7:2.5\"");
    }
    if (!label_weights_.emplace(label, weight).second) {
      throw sculpt::parameter_error("label_weights has two weights for the label " +
                                    std::to_string(label) + "; remove one of them");
    }
  }

  void require_known_label_weights() const {
    for (const auto& [label, weight] : label_weights_) {
      if (find(label) != labels_.end()) continue;
      throw sculpt::parameter_error("label_weights has the label " + std::to_string(label) +
                                    ", which does not occur in the training data " +
                                    list_of_labels() + "; correct or remove it");
    }
  }

  // Learns the labels, sorted by value, and the number of features.
  void learn(const sculpt::SvmLightRows& file, const sculpt::LineReader& reader) {
    std::vector<Label> labels;
    for (const sculpt::SvmLightRow& row : file.rows) {
      if (row.labelled) labels.push_back({row.label, row.text});
    }
    if (labels.empty()) {
      throw reader.error_at(1, 0,
                            "no row has a label, so there is nothing to learn; begin rows "
                            "with a label");
    }
    // Labels of the rows come first, because they have the text.
    labels.insert(labels.end(), labels_.begin(), labels_.end());
    labels_ = std::move(labels);
    std::stable_sort(labels_.begin(), labels_.end(),
                     [](const Label& a, const Label& b) { return a.value < b.value; });
    const auto same = [](const Label& a, const Label& b) { return a.value == b.value; };
    labels_.erase(std::unique(labels_.begin(), labels_.end(), same), labels_.end());
    feature_count_ = file.entries.feature_count();
    learned_ = true;
  }

  // Returns the label of this value, or end().
  std::vector<Label>::const_iterator find(std::int64_t value) const {
    const auto found = std::lower_bound(
        labels_.begin(), labels_.end(), value,
        [](const Label& label, std::int64_t other) { return label.value < other; });
    return found != labels_.end() && found->value == value ? found : labels_.end();
  }

  // Returns the state of the label of a row; -1 if the label counts as none. Throws E_DATA for an
  // unseen label, unless the parameter says what it stands for.
  std::int32_t state_of(const sculpt::SvmLightRow& row, const sculpt::LineReader& reader) {
    const auto found = find(row.label);
    if (found != labels_.end()) return static_cast<std::int32_t>(found - labels_.begin());
    if (on_unseen_label_ == sculpt::UnseenLabels::refuse) {
      throw reader.error_at(
          row.line, row.column,
          "label " + sculpt::shortened(row.text) + " does not occur in the training data " +
              list_of_labels() + "; " + sculpt::unseen_label_remedies +
              (restored_ ? "remove it from the row" : "add it to \"labels\" in \"dataset\""));
    }
    ++unseen_in_split_;
    return on_unseen_label_ == sculpt::UnseenLabels::wrong ? sculpt::unseen_label : -1;
  }

  void warn_of_unseen(const std::string& path) {
    const std::string text = sculpt::unseen_labels_text("row", unseen_in_split_, on_unseen_label_);
    if (!text.empty()) host_.warn(path + ": " + text);
    unseen_in_split_ = 0;
  }

  const std::string& text_of(std::int32_t state) const {
    if (state < 0 || state >= state_count()) {
      throw sculpt::Error(SCULPT_E_INVALID, "there is no label " + std::to_string(state));
    }
    return labels_[static_cast<std::size_t>(state)].text;
  }

  // Returns a list for messages: "(1, 2, 3)", at most the first ten.
  std::string list_of_labels() const {
    std::string list = "(";
    for (std::size_t k = 0; k < labels_.size() && k < 10; ++k) {
      list += (k > 0 ? ", " : "") + sculpt::shortened(labels_[k].text);
    }
    return list + (labels_.size() > 10 ? ", ...)" : ")");
  }

  const sculpt::Host host_;
  sculpt::SiteStore store_;
  sculpt::IndexBase base_;
  sculpt::ExampleWeights weights_;
  std::map<std::int64_t, double> label_weights_;  // by the value of the label
  std::vector<Label> labels_;                     // [states], by value
  std::int64_t feature_count_ = 0;
  const sculpt::UnseenLabels on_unseen_label_;
  std::int64_t unseen_in_split_ = 0;  // rows with unseen labels
  bool learned_ = false;
  bool restored_ = false;  // from a model, which has only its own labels
};

}  // namespace

SCULPT_PLUGIN("svmlight", "1.0.0", "Apache-2.0", sculpt::Dataset<SvmLight>)
