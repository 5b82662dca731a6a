// lent_split.hpp - one split: rows, edges and labels that belong to the caller.
//
// Held by arrays_dataset.hpp. Rows are copied in two cases only: if they are scaled, and if dense
// rows are mostly zeros, which would cost time in every product.
#pragma once

#include <sculpt/ext/draft/memory_source.h>

#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

class LentSplit {
 public:
  // The arrays of `rows` outlive this object; its names need not. `begin`: the number of its first
  // example in the dataset. The other methods count examples from 0 in the split.
  LentSplit(std::string_view name, std::int64_t begin, const sculpt_memory_rows& rows);

  const std::string& name() const { return name_; }
  sculpt::Range range() const { return {begin_, begin_ + rows_.example_count}; }
  const sculpt_memory_rows& rows() const { return rows_; }

  bool is_dense() const { return rows_.row_from == nullptr; }
  // True if at most a third of dense values are not 0. Then a sparse copy, of 12 bytes a value, is
  // at most half as large as the dense rows, and faster.
  bool is_mostly_zeros() const;
  // Copies the values that are not 0 to a split of the store, and reads rows from there.
  void copy_rows(sculpt::SiteStore& store);

  std::int64_t site_begin(std::int64_t k) const {
    return rows_.first_site == nullptr ? k : rows_.first_site[k];
  }
  std::int64_t site_count(std::int64_t k) const { return site_begin(k + 1) - site_begin(k); }
  sculpt_sites sites(std::int64_t k, const sculpt::SiteStore& store) const;

  // Unlabelled if it has no labels, or only -1.
  sculpt::Labels truth(std::int64_t k) const;
  // Writes `state` for each label of at least `state_count`, to a copy. Returns how many examples
  // have one.
  std::int64_t replace_labels(std::int32_t state_count, std::int32_t state);
  // The first example with a label, feature or kind of edges at or above the limit; -1: none. Sets
  // `number` to the label, feature or kind.
  std::int64_t find_label(std::int32_t limit, std::int64_t& number) const;
  std::int64_t find_feature(std::int64_t limit, std::int64_t& number) const;
  std::int64_t find_edge_kind(std::int32_t limit, std::int64_t& number) const;

  // The kind of each edge of an example, nullptr if it has no edges.
  const std::int32_t* edge_kinds(std::int64_t k) const;
  double weight(std::int64_t k) const { return rows_.weight == nullptr ? 1 : rows_.weight[k]; }

 private:
  std::int64_t edge_begin(std::int64_t k) const {
    return rows_.first_edge == nullptr ? 0 : rows_.first_edge[k];
  }
  std::int64_t label_begin(std::int64_t k) const {
    if (rows_.first_label != nullptr) return rows_.first_label[k];
    return rows_.variable_count > 0 ? rows_.variable_count * k : site_begin(k);
  }
  const std::int32_t* labels() const {
    return own_labels_.empty() ? rows_.label : own_labels_.data();
  }
  void number_dense_columns();

  std::string name_;
  std::int64_t begin_;
  sculpt_memory_rows rows_;
  std::int64_t stored_from_ = -1;  // the first example in the store; -1: the rows are borrowed
  // Dense rows of an example, as sparse ones. All examples share them.
  std::vector<std::int64_t> dense_row_from_;  // [most sites + 1]
  std::vector<std::int32_t> dense_index_;     // [most sites * feature_count] 0, 1, ..., 0, 1, ...
  std::vector<std::int32_t> zero_kinds_;      // [most edges], if edges have no kinds
  std::vector<std::int32_t> own_labels_;      // replaced labels
};
