// sparse_rows.hpp - reads rows "index:value index:value ..." of text files.
//
// SPDX-License-Identifier: Apache-2.0
//
// For datasets with rows like those of SVM-light (Joachims 1998). Indices increase within a row,
// and count from 1, or from 0 (index_base.hpp). Zeros are dropped. Messages begin with
// path:line:column.
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
#include "large_arrays.hpp"
#include "reading.hpp"
#include "site_store.hpp"

namespace sculpt {

class SparseRows {
 public:
  // Appends the row in the reader's line, from this column (from 0) to the end. Throws E_DATA.
  void add_row(const LineReader& reader, std::size_t column) {
    const std::string_view line = reader.line();
    std::int64_t previous = -1;
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
      if (entry.index == 0) note_index_0(reader, column, entry.value);
      previous = entry.index;
      column = end;
      if (entry.value == 0) continue;
      index_.push_back(static_cast<std::int32_t>(entry.index));
      value_.push_back(entry.value);
    }
    if (previous > largest_) {
      largest_ = previous;
      widest_line_ = reader.number();
      widest_path_ = reader.path();
    }
    row_from_.push_back(index_.size());
  }

  // True if an index is 0, even one with the value 0; and the place of the first one.
  bool has_index_0() const { return line_of_0_ > 0; }
  std::int64_t line_of_index_0() const { return line_of_0_; }     // from 1
  std::size_t column_of_index_0() const { return column_of_0_; }  // from 0

  // True if every row begins with 0:1, 0:2, ..., as LIBSVM's files of kernel values do.
  bool is_numbered_by_index_0() const { return rows_numbered_by_0_ == row_from_.size() - 1; }

  // Says that the first feature has this index, 0 or 1. Without the call it is 1, and no index may
  // be 0.
  void count_from(std::int64_t first) { first_ = first; }

  // Returns the number of features: up to the largest index of all rows, zeros included.
  std::int64_t feature_count() const { return std::max<std::int64_t>(0, largest_ + 1 - first_); }

  // Adds the entries of a row to the current site of the store. Drops and counts features above
  // feature_count, which the training data did not have.
  void copy_row(std::size_t row, std::int64_t feature_count, SiteStore& store) {
    if (feature_count == this->feature_count() && widest_line_ > 0) {
      store.note_widest(widest_path_ + ":" + std::to_string(widest_line_) + ": index " +
                        std::to_string(largest_));
      widest_line_ = 0;
    }
    for (std::size_t j = row_from_[row]; j < row_from_[row + 1]; ++j) {
      const std::int64_t feature = index_[j] - first_;
      if (feature < feature_count) {
        store.add(static_cast<std::int32_t>(feature), value_[j]);
      } else {
        ++ignored_;
      }
    }
  }
  // Warns about the number of dropped values, if any.
  void warn_of_ignored(const Host& host, const std::string& path,
                       std::int64_t feature_count) const {
    if (ignored_ == 0) return;
    host.warn(path + ": ignored " + std::to_string(ignored_) +
              (ignored_ == 1 ? " value" : " values") + " of features above " +
              std::to_string(feature_count - 1 + first_) +
              ", which do not occur in the training data");
  }

 private:
  void note_index_0(const LineReader& reader, std::size_t column, double value) {
    if (value == static_cast<double>(row_from_.size())) ++rows_numbered_by_0_;
    if (line_of_0_ > 0) return;
    line_of_0_ = reader.number();
    column_of_0_ = column;
  }

  static constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max();

  struct Entry {
    std::int64_t index;
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
    if (colon == begin || colon == end || *colon != ':') return from;
    if (colon - begin > digits_of_index) return from;
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
    if (index < 0 || index > largest_index) {
      throw reader.error(field.column, "index " + shortened(before.text) + " is outside [0, " +
                                           std::to_string(largest_index) +
                                           "]; count features from 1, or from 0");
    }
    return {index, reader.real(after, "a value")};
  }

  LargeVector<std::size_t> row_from_ = {0};  // [rows + 1] into index_ and value_
  LargeVector<std::int32_t> index_;          // as in the file, increasing within a row
  LargeVector<double> value_;                // same length; none is 0
  std::int64_t largest_ = -1;                // index; -1: there is none
  std::int64_t first_ = 1;                   // index
  std::int64_t line_of_0_ = 0;               // of the first index 0; 0: there is none
  std::size_t column_of_0_ = 0;
  std::size_t rows_numbered_by_0_ = 0;  // rows whose index 0 has their number as its value
  std::string widest_path_;             // of the first row with the largest index
  std::int64_t widest_line_ = 0;        // 0: noted already, or there is none
  std::int64_t ignored_ = 0;
};

}  // namespace sculpt
