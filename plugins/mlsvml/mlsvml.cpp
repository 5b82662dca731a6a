// mlsvml.cpp - the dataset "l1,l2,... index:value ... # comment": any number of labels an example.
//
// An example has one site. The output says for each label 1 .. K whether it is on. K and the number
// of features are learned from the split "train" and saved in the model. Metrics, with tp, fp and
// fn counted for each label:
//
//   micro F1 = 2 sum_k tp_k / sum_k (2 tp_k + fp_k + fn_k),
//   macro F1 = mean over k of 2 tp_k / (2 tp_k + fp_k + fn_k)
//
// (Tsoumakas, Katakis & Vlahavas, "Mining Multi-label Data", 2010, section 7.1.)
#include "label_numbers.hpp"
#include "label_rows.hpp"
#include "unseen_numbers.hpp"

#include <sculpt/cpp/cached_arrays.hpp>
#include <sculpt/cpp/example_weights.hpp>
#include <sculpt/cpp/index_base.hpp>
#include <sculpt/cpp/text_parts.hpp>
#include <sculpt/sculpt.hpp>

#include <limits>

namespace {

class MultilabelRows {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.mlsvml", "1.0.0",
      "rows `l1,l2 index:value ...`; any number of labels for each example",
      "the file format of SVM-light, Joachims 1998, with lists of labels"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("labels", "0", 0, max_labels,
                      "the number of labels; 0: up to the largest label of the training data",
                      "labels"),
      sculpt::choice("first_label", R"("learned")", "learned|0|1",
                     "the number of the first label; learned: 0 if a row of the training data has "
                     "the label 0, else 1"),
      sculpt::choice("blank_labels", R"("refuse")", "refuse|none|unlabelled",
                     "what a blank in place of the labels means; none: no label is on, as in "
                     "LIBSVM's files; refuse: such rows are errors"),
      sculpt::first_index(),
      sculpt::unseen_labels(),
      sculpt::example_weights()};
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("micro_f1", "F1 of all labels of all examples taken together"),
      sculpt::higher_is_better("macro_f1",
                               "mean F1 of the labels that occur in a truth or in a guess")};
  using drafts = sculpt::Drafts<sculpt::PartsAreLines, sculpt::CachedArrays>;
  static constexpr const char* experiments[] = {R"({
    "name": "mlsvml_five_rows",
    "dataset": {"use": "mlsvml",
                "train": {"text": "1,3 1:1 2:0.5 # two of them\n2 2:1\n- 3:-1\n3,1 1:0.5 3:2\n"},
                "test": {"text": "1 1:2 9:1\n"}},
    "features": "multilabel", "loss": {"use": "hamming", "normalize": true}, "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "mlsvml_from_zero",
    "dataset": {"use": "mlsvml", "blank_labels": "none",
                "train": {"text": "0,1 0:1 2:0.5\n 1:1 # none\n1 0:0.5 1:-1\n0 2:1\n"},
                "test": {"text": "1 1:2\n"}},
    "features": "multilabel", "loss": {"use": "hamming", "normalize": true}, "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 10}})"};

  MultilabelRows(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        base_(given),
        weights_(given),
        labels_(given),
        unseen_(given),
        blank_labels_(given.choice("blank_labels")) {}

  void load(std::string_view split, const sculpt::Source& source) {
    store_.begin_split(split, source.path());
    sculpt::LineReader reader(source, sculpt::LineLife::until_next);
    LabelRows file = read_label_rows(reader);
    if (file.rows.empty() && split != "predict") {
      throw sculpt::data_error(source.path() +
                               ":1:1: no examples; write rows such as `1,4 1:0.5 3:1`");
    }
    settle_blank_labels(file, reader, split == "train");
    base_.apply(file.entries, reader, !learned_);
    if (!learned_) {
      if (split != "train") {
        throw sculpt::Error(SCULPT_E_INVALID,
                            "has no labels before the split 'train' is loaded; load it first");
      }
      learn(file, reader);
    }
    std::vector<std::int32_t> truth;
    for (std::size_t r = 0; r < file.rows.size(); ++r) {
      const LabelRow& row = file.rows[r];
      file.entries.copy_row(r, feature_count_, store_);
      store_.end_site();
      if (row.is_labelled) read_truth(row, reader, split == "train", truth);
      store_.end_example(row.is_labelled ? sculpt::Labels(truth) : sculpt::Labels(), row.line);
    }
    if (split == "train") weights_.read(store_.split(split).begin, file.rows.size());
    file.entries.warn_of_ignored(host_, source.path(), feature_count_);
    unseen_.warn(host_, source.path());
  }

  // What load() fills (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(store_, weights_, unseen_);
  }

  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  double example_weight(std::int64_t example) const { return weights_.of(example); }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return feature_count_; }
  std::int32_t state_count() const { return 2; }
  // 0 for one label: a site then has one label (ext/sites.h).
  std::int64_t variable_count() const { return labels_.count() == 1 ? 0 : labels_.count(); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const {
    out << (state == 0 ? "off" : "on");
  }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << "feature " << base_.index_of(feature);
  }

  // Text is as in the file: "1,4", or "-" if no label is on.
  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    check_size(y);
    bool first = true;
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (y[k] == 0) continue;
      if (!first) out << ",";
      out << std::int64_t{labels_.number_of(k)};
      first = false;
    }
    if (first) out << "-";
  }
  void parse(std::int64_t, std::string_view text, sculpt::LabelOutput& out) const {
    ListFault fault;
    const std::vector<OnLabel> on_labels = read_label_list(text, fault);
    if (!fault.message.empty()) throw sculpt::data_error(fault.message);
    for (const OnLabel label : on_labels) {
      const std::string wrong = labels_.fault(label.number);
      if (!wrong.empty()) throw sculpt::data_error(wrong);
    }
    const auto y = out.resize(labels_.count());
    std::fill(y.begin(), y.end(), 0);
    for (const OnLabel label : on_labels) y[labels_.place_of(label.number)] = 1;
  }

  // The parts that losses compare: the labels that are on.
  void items(std::int64_t, sculpt::Labels y, std::vector<std::int64_t>& items) const {
    check_size(y);
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (y[k] == 1) items.push_back(static_cast<std::int64_t>(k));
    }
  }
  std::int64_t item_of_label(std::int64_t, std::int64_t variable, std::int32_t state) const {
    return state == 1 ? variable : -1;
  }

  // [labels] of tp, then of fp, then of fn. Then fn of each unseen label.
  std::int64_t sum_count() const {
    return 3 * std::int64_t{labels_.count()} + unseen_.kind_count();
  }
  // Without an output, each label counts as the opposite of the truth.
  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    check_size(truth);
    if (guess.known()) check_size(guess);
    const auto labels = static_cast<std::size_t>(labels_.count());
    for (std::size_t k = 0; k < labels; ++k) {
      if (truth[k] < 0) continue;
      const bool on = truth[k] == 1;
      const bool guessed = guess.known() ? guess[k] == 1 : !on;
      if (on && guessed) sums[k] += 1;
      if (!on && guessed) sums[labels + k] += 1;
      if (on && !guessed) sums[2 * labels + k] += 1;
    }
    for (const std::size_t kind : unseen_.of(example)) sums[3 * labels + kind] += 1;
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    const auto labels = static_cast<std::size_t>(labels_.count());
    double numerators = 0;
    double denominators = 0;
    double label_f1_sum = 0;
    double occurring_labels = 0;
    for (std::size_t k = 0; k < labels; ++k) {
      const double denominator = 2 * sums[k] + sums[labels + k] + sums[2 * labels + k];
      numerators += 2 * sums[k];
      denominators += denominator;
      if (denominator == 0) continue;
      label_f1_sum += 2 * sums[k] / denominator;
      occurring_labels += 1;
    }
    for (const double missed : sums.subspan(3 * labels)) {  // F1 is 0
      denominators += missed;
      occurring_labels += missed > 0 ? 1 : 0;
    }
    constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
    values[0] = denominators > 0 ? numerators / denominators : undefined;
    values[1] = occurring_labels > 0 ? label_f1_sum / occurring_labels : undefined;
  }

  void save(sculpt::StateWriter& writer) const {
    writer.integer(state_version);
    writer.integer(feature_count_);
    labels_.save_count(writer);
    base_.save(writer);
    labels_.save_first(writer);
  }
  void restore(sculpt::StateReader& reader) {
    const std::int64_t version = reader.integer();
    if (version < 1 || version > state_version) reader.damaged();
    feature_count_ = reader.integer();
    if (feature_count_ < 0 || feature_count_ > std::numeric_limits<std::int32_t>::max()) {
      reader.damaged();
    }
    labels_.restore_count(reader);
    base_.restore(reader, version >= 2);
    labels_.restore_first(reader, version >= 2);
    learned_ = true;
  }

 private:
  static constexpr std::int64_t state_version = 2;

  void learn(const LabelRows& file, const sculpt::LineReader& reader) {
    const bool has_labelled_row = std::any_of(file.rows.begin(), file.rows.end(),
                                              [](const LabelRow& row) { return row.is_labelled; });
    if (!has_labelled_row) {
      throw reader.error_at(1, 0,
                            "no row has labels, so there is nothing to learn; begin rows with a "
                            "list such as 1,4, or with - if no label is on");
    }
    labels_.learn(file, reader);
    feature_count_ = file.entries.feature_count();
    learned_ = true;
  }

  // Writes 1 for the labels of the row that are on, and 0 for the others, to truth[labels]. Labels
  // of other data that training does not have are refused, or noted.
  void read_truth(const LabelRow& row, const sculpt::LineReader& reader, bool is_training,
                  std::vector<std::int32_t>& truth) {
    truth.assign(static_cast<std::size_t>(labels_.count()), 0);
    for (const OnLabel label : row.on_labels) {
      if (!is_training && labels_.is_above(label.number)) {
        if (unseen_.are_refused()) {
          throw reader.error_at(row.line, label.column, labels_.fault_of_unseen(label.number));
        }
        unseen_.add(store_.count(), label.number);
        continue;
      }
      const std::string fault = labels_.fault(label.number);
      if (!fault.empty()) throw reader.error_at(row.line, label.column, fault);
      truth[labels_.place_of(label.number)] = 1;
    }
  }

  // Rows that begin with a blank: whether no label is on, or they are unlabelled.
  // Training needs labels.
  void settle_blank_labels(LabelRows& file, const sculpt::LineReader& reader,
                           bool is_training) const {
    for (LabelRow& row : file.rows) {
      if (row.is_labelled || !row.begins_with_blank) continue;
      if (blank_labels_ == "none") row.is_labelled = true;
      if (blank_labels_ != "refuse") continue;
      throw reader.error_at(
          row.line, 0,
          std::string("the row has a blank in place of labels; if no label is on, write - or add "
                      "--set dataset.blank_labels=none") +
              (is_training
                   ? ""
                   : "; if the row is unlabelled, add --set dataset.blank_labels=unlabelled"));
    }
  }

  void check_size(sculpt::Labels y) const {
    if (y.count() == labels_.count()) return;
    throw sculpt::Error(SCULPT_E_INVALID, "an output has " + std::to_string(labels_.count()) +
                                              " labels, not " + std::to_string(y.count()));
  }

  const sculpt::Host host_;
  sculpt::SiteStore store_;
  sculpt::IndexBase base_;
  sculpt::ExampleWeights weights_;
  LabelNumbers labels_;
  UnseenNumbers unseen_;
  std::string blank_labels_;
  std::int64_t feature_count_ = 0;
  bool learned_ = false;
};

}  // namespace

SCULPT_PLUGIN("mlsvml", "1.0.0", "Apache-2.0", sculpt::Dataset<MultilabelRows>)
