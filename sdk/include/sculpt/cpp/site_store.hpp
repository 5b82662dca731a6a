// site_store.hpp - examples that consist of sites with sparse rows, in memory or in files of the
// host (large_arrays.hpp), split by split.
//
// SPDX-License-Identifier: Apache-2.0
//
// For datasets that offer ext/sites.h. Fill it in load(); it lends the data afterwards:
//   store.begin_split("train", path);
//   store.add(index, value); ...   the row of a site, indices increasing
//   store.end_site(); ...          the sites of an example
//   store.add_edge(a, b, kind);    edges between the sites, if any
//   store.end_example(truth, line); ...  Labels() if it is unlabelled
// Nothing moves after the last split is loaded, so the results of sites() and truth() stay valid.
//
// Values are stored only from the first value other than 1. Until then all rows share one array of
// ones. This takes 4 bytes an entry if inputs are words or black pixels.
//
// The rows can be scaled by statistics of the training data: scaling.hpp, one line in the dataset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../ext/sites.h"
#include "example_places.hpp"
#include "large_arrays.hpp"
#include "row_scaling.hpp"
#include "stored_array.hpp"
#include "views.hpp"

namespace sculpt {

class SiteStore {
 public:
  // Throws E_INVALID if the split exists. `path`: the file of the split.
  void begin_split(std::string_view name, std::string path = "") {
    if (has_split(name)) {
      throw Error(SCULPT_E_INVALID, "the split '" + std::string(name) + "' is loaded twice");
    }
    splits_.push_back({std::string(name), count()});
    places_.begin_file(std::move(path));
  }
  void add(std::int32_t index, double value) {
    if (is_binary_ && value != 1) {
      is_binary_ = false;
      value_.own().assign(index_.size(), 1.0);
    }
    index_.own().push_back(index);
    if (!is_binary_) value_.own().push_back(value);
  }
  void end_site() { row_from_.own().push_back(entries()); }
  // Adds an edge from site a to site b. `kind` is for ext/draft/edge_kinds.h.
  void add_edge(std::int32_t a, std::int32_t b, std::int32_t kind = 0) {
    edge_.own().insert(edge_.own().end(), {a, b});
    kind_.own().push_back(kind);
  }
  // `line`: the line of its file where the example begins, from 1. 0: unknown.
  void end_example(Labels truth, std::int64_t line = 0) {
    places_.add(line);
    truth_.own().insert(truth_.own().end(), truth.begin(), truth.end());
    truth_from_.own().push_back(truth_.size());
    is_known_.own().push_back(truth.known() ? 1 : 0);
    end_rows();
    rows_from_.own().push_back(row_from_.size());
    edge_from_.own().push_back(kind_.size());
    row_from_.own().push_back(0);  // for the next example
  }

  // Returns "train.txt:17", or "" if begin_split() and end_example() got no path and line.
  std::string place(std::int64_t example) const { return places_.of(example); }

  // The first loaded row with the largest index, "train.txt:1: index 100000000". Empty if no row
  // was noted. For messages about too many weights. SparseRows notes the row.
  void note_widest(const std::string& text) {
    if (widest_.empty()) widest_ = text;
  }
  const std::string& widest() const { return widest_; }

  // Called by the wrapper of datasets with scaled_rows(): after create, load and restore.
  void scale_by(Scaling scaling, Host host) { scaling_ = RowScaling(scaling, host); }
  void scale_new_rows() { scaling_.scale_new_rows(*this); }
  RowScaling& scaling() { return scaling_; }
  const RowScaling& scaling() const { return scaling_; }

  // Replaces the rows of the examples from `first` on; their sites stay. Calls
  // rewriter.begin_example(example, old rows) once for each example. Then, for each site, calls
  // rewriter.scale_row(old rows, site, add), which calls add(index, value) as above.
  template <class Rewriter>
  void rewrite_rows(std::int64_t first, Rewriter& rewriter) {
    const std::size_t begin = entry_from_[checked_index(first)];
    const auto offset = static_cast<std::ptrdiff_t>(begin);
    const LargeVector<std::int32_t> index(index_.begin() + offset, index_.end());
    const LargeVector<double> value =
        is_binary_ ? LargeVector<double>(ones_.begin(), ones_.end())
                   : LargeVector<double>(value_.begin() + offset, value_.end());
    const bool ones = is_binary_;
    const LargeVector<std::size_t> entry_from(entry_from_.begin() + first, entry_from_.end());
    index_.own().resize(begin);
    if (!is_binary_) value_.own().resize(begin);
    entry_from_.own().resize(static_cast<std::size_t>(first) + 1);
    std::vector<std::int64_t> row_from;
    for (std::size_t e = static_cast<std::size_t>(first); e < is_known_.size(); ++e) {
      const std::size_t from = entry_from[e - static_cast<std::size_t>(first)] - begin;
      std::int64_t* const new_from = row_from_.own().data() + rows_from_[e];
      row_from.assign(new_from, row_from_.own().data() + rows_from_[e + 1]);
      const auto sites = static_cast<std::int64_t>(row_from.size()) - 1;
      const sculpt_sites old_rows{sizeof old_rows,
                                  0,
                                  sites,
                                  0,
                                  row_from.data(),
                                  index.data() + from,
                                  ones ? value.data() : value.data() + from,
                                  nullptr};
      rewriter.begin_example(static_cast<std::int64_t>(e), old_rows);
      for (std::int64_t s = 0; s < sites; ++s) {
        rewriter.scale_row(old_rows, s, [this](std::int32_t j, double x) { add(j, x); });
        new_from[s + 1] = entries();
      }
      end_rows();
    }
  }

  std::int64_t count() const { return static_cast<std::int64_t>(is_known_.size()); }

  // All of it, for a cache (cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    std::vector<std::string> names;
    std::vector<std::int64_t> begins;
    for (const Split& split : splits_) {
      names.push_back(split.name);
      begins.push_back(split.begin);
    }
    cache(names, begins, index_, is_binary_, value_, ones_, entry_from_, row_from_, rows_from_,
          edge_, kind_, edge_from_, truth_, truth_from_, is_known_, widest_, places_, scaling_);
    splits_.clear();
    for (std::size_t k = 0; k < names.size(); ++k) splits_.push_back({names[k], begins[k]});
  }

  bool has_split(std::string_view name) const {
    return std::any_of(splits_.begin(), splits_.end(),
                       [name](const Split& split) { return split.name == name; });
  }
  // Returns an empty range for an unknown split.
  Range split(std::string_view name) const {
    for (std::size_t s = 0; s < splits_.size(); ++s) {
      if (splits_[s].name != name) continue;
      return {splits_[s].begin, s + 1 < splits_.size() ? splits_[s + 1].begin : count()};
    }
    return {};
  }

  Labels truth(std::int64_t example) const {
    const std::size_t i = checked_index(example);
    if (is_known_[i] == 0) return {};
    return {truth_.data() + truth_from_[i], truth_from_[i + 1] - truth_from_[i]};
  }

  sculpt_sites sites(std::int64_t example) const {
    const std::size_t i = checked_index(example);
    const std::size_t edges = kind_.empty() ? 0 : edge_from_[i + 1] - edge_from_[i];
    return {sizeof(sculpt_sites),
            0,
            static_cast<std::int64_t>(rows_from_[i + 1] - rows_from_[i]) - 1,
            static_cast<std::int64_t>(edges),
            row_from_.data() + rows_from_[i],
            index_.data() + entry_from_[i],
            is_binary_ ? ones_.data() : value_.data() + entry_from_[i],
            edges > 0 ? edge_.data() + 2 * edge_from_[i] : nullptr};
  }
  // Returns the kinds of the edges of an example, nullptr if it has no edges.
  const std::int32_t* edge_kinds(std::int64_t example) const {
    const std::size_t i = checked_index(example);
    return edge_from_[i + 1] > edge_from_[i] ? kind_.data() + edge_from_[i] : nullptr;
  }

 private:
  struct Split {
    std::string name;
    std::int64_t begin;
  };

  // Returns the example as an index. Throws E_INVALID if there is no such example.
  std::size_t checked_index(std::int64_t example) const {
    if (example < 0 || example >= count()) {
      throw Error(SCULPT_E_INVALID, "has no example " + std::to_string(example) + "; there are " +
                                        std::to_string(count()));
    }
    return static_cast<std::size_t>(example);
  }

  // Call it after the last row of an example.
  void end_rows() {
    if (const auto size = static_cast<std::size_t>(entries()); size > ones_.size()) {
      ones_.own().resize(size, 1.0);
    }
    entry_from_.own().push_back(index_.size());
  }
  // Returns the number of entries of the example that is being filled.
  std::int64_t entries() const {
    return static_cast<std::int64_t>(index_.size() - entry_from_.back());
  }

  std::vector<Split> splits_;
  StoredArray<std::int32_t> index_;            // All rows of all sites.
  bool is_binary_ = true;                      // True while every value is 1.
  StoredArray<double> value_;                  // Same length as index_, or empty if is_binary_.
  StoredArray<double> ones_;                   // As many as the largest example has entries.
  StoredArray<std::size_t> entry_from_ = {0};  // Offsets into index_ and value_, [count + 1].
  StoredArray<std::int64_t> row_from_ = {0};   // Offsets within each example, [sites + 1] each.
  StoredArray<std::size_t> rows_from_ = {0};   // Offsets into row_from_, [count + 1].
  StoredArray<std::int32_t> edge_;             // All edges: two sites of the example each.
  StoredArray<std::int32_t> kind_;             // The kind of each edge.
  StoredArray<std::size_t> edge_from_ = {0};   // Offsets into kind_, [count + 1].
  StoredArray<std::int32_t> truth_;            // All truths.
  StoredArray<std::size_t> truth_from_ = {0};  // Offsets into truth_, [count + 1].
  StoredArray<std::uint8_t> is_known_;         // 1 for examples that are labelled, [count].
  std::string widest_;
  ExamplePlaces places_;
  RowScaling scaling_;
};

}  // namespace sculpt
