// label_rows.hpp - reads rows "l1,l2,... index:value ... # comment" of a file, and lists of labels.
//
// Called by the dataset mlsvml. Messages of rows begin with path:line:column.
#pragma once

#include <sculpt/cpp/sparse_rows.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A limit, because every truth stores a number for each label.
inline constexpr std::int32_t max_labels = 30000;

// A label that is on.
struct OnLabel {
  std::int32_t number = 0;  // as in the file
  std::size_t column = 0;   // its place, from 0
};

struct LabelRow {
  bool is_labelled = false;
  bool begins_with_blank = false;
  std::vector<OnLabel> on_labels;  // by number, without duplicates
  std::int64_t line = 0;           // from 1
};

struct LabelRows {
  std::vector<LabelRow> rows;
  sculpt::SparseRows entries;       // of the same rows
  std::int32_t largest_label = -1;  // of the file, -1 if no label is on
  bool has_label_0 = false;
};

// Skips blank lines and lines with only a comment. Throws E_DATA.
LabelRows read_label_rows(sculpt::LineReader& reader);

// Returns the labels of "3,1" by number, or of "-", the empty list. Columns count from the start of
// `text`. For malformed lists `fault` gets the message and the column.
struct ListFault {
  std::string message;  // "" if the list is valid
  std::size_t column = 0;
};
std::vector<OnLabel> read_label_list(std::string_view text, ListFault& fault);
