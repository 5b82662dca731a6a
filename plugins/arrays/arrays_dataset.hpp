// arrays_dataset.hpp - the dataset arrays: examples that a program holds in memory.
//
// An example is a row, a sequence of rows, or a graph of rows; its output is a label for each row,
// or a set of labels. The host lends the arrays (sculpt/ext/draft/memory_source.h) and has checked
// them. Numbers and names of states, features, labels and kinds of edges are learned from the split
// "train" and saved in the model. arrays.cpp makes it a plugin.
#pragma once

#include "array_names.hpp"
#include "lent_split.hpp"

#include <sculpt/cpp/edge_kinds.hpp>
#include <sculpt/cpp/own_extensions.hpp>
#include <sculpt/cpp/unseen_labels.hpp>
#include <sculpt/sculpt.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

class ArraysDataset {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.arrays", "1.0.0",
      "arrays that a program lends: rows, sequences, graphs, sets of labels", ""};
  static constexpr sculpt_parameter parameters[] = {sculpt::unseen_labels()};
  static constexpr const char* extensions[] = {SCULPT_EXT_MEMORY_SOURCE};
  using drafts = sculpt::Drafts<sculpt::EdgeKinds>;
  static constexpr const char* experiments[] = {R"({
    "name": "arrays_rows",
    "dataset": {"use": "arrays",
      "train": {"arrays": {"state_count": 2, "state_name": ["no", "yes"], "feature_count": 3,
        "value": [1, 0.5, -1, 2, 1, 0.5, 0.25, -1, 1, -1, 0.5, 2], "label": [1, 0, 1, 0],
        "weight": [1, 2, 1, 0.5]}},
      "test": {"arrays": {"state_count": 2, "feature_count": 3, "value": [1, 2, 0.5],
        "label": [1]}}},
    "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 1}})",
                                                R"({
    "name": "arrays_sequences",
    "dataset": {"use": "arrays", "train": {"arrays": {
      "state_count": 3, "feature_count": 2, "first_site": [0, 2, 3, 3, 6, 7],
      "row_from": [0, 1, 3, 4, 4, 5, 6, 7], "index": [0, 0, 1, 1, 0, 1, 1],
      "value": [1, 0.5, 2, 1, -1, 1, 1], "label": [0, 1, 2, 1, 0, 1, 0]}},
      "test": {"arrays": {"feature_count": 2, "first_site": [0, 2], "value": [1, 0, 2, 1]}}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "arrays_graphs",
    "dataset": {"use": "arrays", "train": {"arrays": {
      "state_count": 2, "state_name": ["a", "b"], "feature_count": 2, "first_site": [0, 3, 5],
      "row_from": [0, 1, 2, 4, 5, 6], "index": [0, 1, 0, 1, 1, 0], "value": [1, 1, 0.5, 1, 2, 1],
      "first_edge": [0, 2, 3], "edge": [0, 1, 2, 1, 1, 0], "label": [0, 1, 0, 1, 0]}}},
    "features": "graph", "loss": "hamming", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "arrays_sets",
    "dataset": {"use": "arrays", "train": {"arrays": {
      "state_count": 2, "variable_count": 3, "variable_name": ["red", "green", "blue"],
      "feature_count": 3, "row_from": [0, 2, 3, 4, 6], "index": [0, 1, 1, 2, 0, 2],
      "value": [1, 0.5, 1, -1, 0.5, 2], "label": [1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1]}}},
    "features": "multilabel", "loss": {"use": "hamming", "normalize": true}, "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 10}})"};

  ArraysDataset(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        on_unseen_label_(sculpt::unseen_labels_of(given)),
        is_scaled_(sculpt::scaling_of(given) != sculpt::Scaling::none) {}

  const void* extension(const char* id) const;

  // Throws unsupported_error: it reads no files.
  void load(std::string_view split, const sculpt::Source& source);
  void load(std::string_view split, const sculpt_memory_rows& rows);

  std::int64_t count() const { return splits_.empty() ? 0 : splits_.back().range().end; }
  sculpt::Range split(std::string_view name) const;
  sculpt::Labels truth(std::int64_t example) const;
  double example_weight(std::int64_t example) const;
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return features_.count(); }
  std::int32_t state_count() const { return static_cast<std::int32_t>(states_.count()); }
  // 0 for one label and one site an example (ext/sites.h).
  std::int64_t variable_count() const {
    return has_one_site_each_ && labels_.count() == 1 ? 0 : labels_.count();
  }
  sculpt_sites sites(std::int64_t example) const;
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const;
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const;

  std::int32_t edge_kind_count() const { return static_cast<std::int32_t>(kinds_.count()); }
  void edge_kind_name(std::int32_t kind, sculpt::ByteOutput& out) const;
  const std::int32_t* edge_kinds(std::int64_t example) const;

  // The names of the labels with blanks between them, or tabs if a name has a blank. A set: the
  // names of the labels that are on, with commas, or tabs; "-" if none is. Outputs of other
  // features, such as orders, are numbers.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  // The parts that losses compare. Of a set: the labels that are on. Else each label at its site.
  void items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const;
  std::int64_t item_of_label(std::int64_t example, std::int64_t variable, std::int32_t state) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

 private:
  static constexpr std::int64_t state_version = 1;

  bool has_sets() const { return labels_.count() > 0; }
  char separator() const;
  void learn(const LentSplit& split, const sculpt_memory_rows& rows);
  // Throws data_error if later data have what training has not.
  void check(const LentSplit& split, const sculpt_memory_rows& rows) const;
  void check_shape(const sculpt_memory_rows& rows) const;
  void settle_unseen_labels(LentSplit& split);
  // Throws E_INVALID unless the output has the size of an output of labels.
  void check_size(std::int64_t example, sculpt::Labels y) const;
  // The split of an example, and its number there. Throws E_INVALID.
  std::pair<const LentSplit&, std::int64_t> place_of(std::int64_t example) const;

  const sculpt::Host host_;
  const sculpt::UnseenLabels on_unseen_label_;
  const bool is_scaled_;
  bool has_learned_ = false;
  bool has_one_site_each_ = false;
  ArrayNames states_{"state"};
  ArrayNames features_{"feature"};
  ArrayNames labels_{"label"};  // of a set; none: a label for each site
  ArrayNames kinds_{"kind of edge"};
  std::vector<LentSplit> splits_;
  sculpt::SiteStore store_;  // the rows that are copied (lent_split.hpp)
};
