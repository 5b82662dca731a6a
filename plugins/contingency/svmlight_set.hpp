// svmlight_set.hpp - a dataset whose examples are whole files of rows "label index:value ...".
//
// Called by the host (contingency.cpp).
#pragma once

#include <sculpt/cpp/cached_arrays.hpp>
#include <sculpt/cpp/index_base.hpp>
#include <sculpt/sculpt.hpp>
#include <set>

#include "topic_rows.hpp"

namespace contingency {

class SvmLightSet {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.svmlight_set", "1.0.0",
      "all rows `label index:value ...` of a file as one example: positive and negative rows; "
      "rows may have several labels",
      "the file format of SVM-light, Joachims 1998"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::json("positive", "[]",
                   "the label of the positive rows, or a list of labels, numbers or names: rows "
                   "that have one of them are positive; empty: the larger of the two labels in "
                   "the data"),
      sculpt::first_index(),
      sculpt::integer(
          "sets", "1", 1, 1000000,
          "distributes the rows of the split train over this many sets, each an example; for folds",
          "sets")};
  using drafts = sculpt::Drafts<sculpt::CachedArrays>;

  SvmLightSet(const sculpt::Parameters& given, sculpt::Host host);

  void load(std::string_view split, const sculpt::Source& source);
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
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return feature_count_; }
  std::int32_t state_count() const { return 2; }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << text_of(state == 1); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << "feature " << base_.index_of(feature);
  }

  // Text has a line for each row: its label and its rank, from 1.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  // The parts that losses compare: the rows predicted positive.
  void items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

 private:
  void learn(const TopicRows& file, const sculpt::LineReader& reader);
  std::vector<std::vector<std::size_t>> split_into_sets(const TopicRows& file,
                                                        const sculpt::LineReader& reader,
                                                        std::int64_t sets) const;
  void require_one_label_each(const TopicRows& file, const sculpt::LineReader& reader) const;
  void warn_of_new_labels(const TopicRows& file, const std::string& path) const;
  void check_both_kinds(const TopicRows& file, const sculpt::LineReader& reader) const;
  void learn_labels(const TopicRows& file, const sculpt::LineReader& reader);
  bool is_positive_row(const TopicRows& file, const TopicRow& row) const;
  void check_size(std::int64_t example, sculpt::Labels y) const;
  const std::string& text_of(bool positive) const {
    return positive ? positive_text_ : negative_text_;
  }

  sculpt::Host host_;
  sculpt::IndexBase base_;
  std::set<std::string> positive_labels_;  // names (topic_rows.hpp)
  std::set<std::string> known_labels_;     // names of the training data
  bool labels_are_listed_;                 // by the parameter; all other labels are negative
  std::int64_t sets_;
  std::string negative_label_ = "0";  // its name, unless labels_are_listed_
  std::string positive_text_ = "+1";  // label text of predictions
  std::string negative_text_ = "-1";
  std::int64_t feature_count_ = 0;
  bool has_learned_ = false;
  sculpt::SiteStore store_;
};

}  // namespace contingency
