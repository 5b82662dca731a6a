// sparse_rows.hpp - reads rows "index:value index:value ..." of text files.
//
// SPDX-License-Identifier: Apache-2.0
//
// For datasets with rows like those of SVM-light (Joachims 1998). Indices count from 1 and increase
// within a row. Zeros are dropped. Messages begin with path:line:column.
//
//   SparseRows rows;
//   while (reader.next()) rows.add_row(reader, reader.field_from(0).end());   after the label
//   for (row ...) rows.copy_row(row, feature_count, store);      into a SiteStore
//   rows.warn_of_ignored(host, source.path(), feature_count);
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "host.hpp"
#include "reading.hpp"
#include "site_store.hpp"

namespace sculpt {

class SparseRows {
 public:
  // Appends the row in the reader's line, from this column (from 0) to the end. Throws E_DATA.
  void add_row(const LineReader& reader, std::size_t column) {
    const std::string_view line = reader.line();
    std::int64_t previous = 0;
    while (true) {
      while (column < line.size() && is_blank(line[column])) ++column;
      if (column == line.size()) break;
      Entry entry{};
      std::size_t end = read_plain_entry(line, column, entry);
      if (end == column) {
        const Field field = reader.field_from(column);
        entry = read_entry(reader, field);
        end = field.end();
      }
      if (entry.index <= previous) {
        throw reader.error(column, "index " + std::to_string(entry.index) + " follows index " +
                                       std::to_string(previous) +
                                       "; sort the row and name each index once");
      }
      previous = entry.index;
      column = end;
      if (entry.value == 0) continue;
      index_.push_back(static_cast<std::int32_t>(entry.index - 1));
      value_.push_back(entry.value);
    }
    if (previous > largest_) {
      largest_ = static_cast<std::int32_t>(previous);
      widest_line_ = reader.number();
      widest_path_ = reader.path();
    }
    row_from_.push_back(index_.size());
  }

  // Returns the largest index of all rows, zeros included, from 1. 0: there is none.
  std::int32_t largest() const { return largest_; }

  // Adds the entries of a row to the current site of the store. Drops and counts features above
  // feature_count, which the training data did not have.
  void copy_row(std::size_t row, std::int64_t feature_count, SiteStore& store) {
    if (feature_count == largest_ && widest_line_ > 0) {
      store.note_widest(widest_path_ + ":" + std::to_string(widest_line_) + ": index " +
                        std::to_string(largest_));
      widest_line_ = 0;
    }
    for (std::size_t j = row_from_[row]; j < row_from_[row + 1]; ++j) {
      if (index_[j] < feature_count) {
        store.add(index_[j], value_[j]);
      } else {
        ++ignored_;
      }
    }
  }
  // Warns about the number of dropped values, if any.
  void warn_of_ignored(const Host& host, const std::string& path,
                       std::int64_t feature_count) const {
    if (ignored_ == 0) return;
    host.warn(path + ": ignored " + std::to_string(ignored_) + " values of features above " +
              std::to_string(feature_count) + ", which do not occur in the training data");
  }

 private:
  static constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max();

  struct Entry {
    std::int64_t index;  // from 1
    double value;
  };

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }

  // Reads an entry such as "17:0.25", up to a blank or the end of the line: the usual form. Returns
  // its end, or `from` if read_entry() has to read it.
  static std::size_t read_plain_entry(std::string_view line, std::size_t from, Entry& entry) {
    constexpr std::ptrdiff_t digits_of_index = 9;  // fewer than those of largest_index
    const char* const begin = line.data() + from;
    const char* const end = line.data() + line.size();
    std::uint64_t index = 0;
    const char* const colon = read_digits(begin, end, index);
    if (colon == end || *colon != ':' || index == 0 || colon - begin > digits_of_index) return from;
    const char* const stop = read_plain_decimal(colon + 1, end, entry.value);
    if (stop == nullptr || (stop != end && !is_blank(*stop))) return from;
    entry.index = static_cast<std::int64_t>(index);
    return static_cast<std::size_t>(stop - line.data());
  }

  static Entry read_entry(const LineReader& reader, Field field) {
    const std::size_t colon = field.text.find(':');
    if (colon == std::string_view::npos) {
      throw reader.error(field.column, shown(field.text) + " has no colon; write index:value");
    }
    const Field before{field.text.substr(0, colon), field.column};
    const Field after{field.text.substr(colon + 1), field.column + colon + 1};
    if (before.text == "qid") {
      throw reader.error(field.column,
                         "'qid' groups the rows of rankings, which this dataset does not read; "
                         "remove it, or use a dataset for rankings");
    }
    const std::int64_t index = reader.clamped_integer(before, "an index; write index:value");
    if (index < 1 || index > largest_index) {
      throw reader.error(field.column, "index " + shortened(before.text) + " is outside [1, " +
                                           std::to_string(largest_index) +
                                           "]; count features from 1");
    }
    return {index, reader.real(after, "a value")};
  }

  std::vector<std::size_t> row_from_ = {0};  // [rows + 1] into index_ and value_
  std::vector<std::int32_t> index_;          // from 0, increasing within a row
  std::vector<double> value_;                // same length; none is 0
  std::int32_t largest_ = 0;
  std::string widest_path_;       // of the first row with the largest index
  std::int64_t widest_line_ = 0;  // 0: noted already, or there is none
  std::int64_t ignored_ = 0;
};

}  // namespace sculpt
