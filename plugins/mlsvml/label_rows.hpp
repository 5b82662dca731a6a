// label_rows.hpp - the rows of a file "l1,l2,... index:value ... # comment", and lists of labels.
//
// Called by the dataset mlsvml. Messages of rows begin with path:line:column.
#pragma once

#include <sculpt/cpp/sparse_rows.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Every truth holds a number for each label.
inline constexpr std::int32_t most_labels = 30000;

// A label that is on.
struct OnLabel {
  std::int32_t number = 0;  // from 1
  std::size_t column = 0;   // where it stands, from 0
};

struct LabelRow {
  bool labelled = false;
  std::vector<OnLabel> on;  // by number; none of them twice
  std::int64_t line = 0;    // from 1
};

struct LabelRows {
  std::vector<LabelRow> rows;
  sculpt::SparseRows entries;  // of the same rows
  std::int32_t largest = 0;    // the largest label of the file; 0 when no label is on
};

// Blank lines and lines with only a comment are no rows. Throws Error.
LabelRows read_label_rows(sculpt::LineReader& reader);

// The labels of "3,1" by number, or of "-", which is none; columns count from the start of `text`.
// When it is no such list, the reason goes to `fault` with where it lies: all of it but the remedy.
struct ListFault {
  std::string what;  // "" when the list is sound
  std::size_t column = 0;
};
std::vector<OnLabel> read_label_list(std::string_view text, ListFault& fault);
