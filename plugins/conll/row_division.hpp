// row_division.hpp - whether tabs alone divide the columns of a file, or blanks and tabs, and how
// many columns its rows have.
//
// Called by conll_file.cpp.
#pragma once

#include <sculpt/cpp/reading.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

// A line of a file, not yet divided. Views refer to the text of the reader.
struct TextRow {
  std::string_view text;
  std::int64_t number;  // from 1
};

struct RowDivision {
  bool by_tabs = false;     // a value may then have blanks, and may be empty
  std::size_t columns = 0;  // of most rows, with the label if there is one; 0: no row has as many
                            // as expected

  // Replaces `fields` by the values of a row.
  void divide(std::string_view row, std::vector<sculpt::Field>& fields) const;
};

// Returns how to divide rows that have `columns` values and perhaps a label. Tabs divide if all
// rows have tabs, and the same number of columns by them. Otherwise blanks and tabs divide, if all
// rows have the same number of columns by those. If neither holds, at least one row is at fault.
// Then the division is the one that fits more rows; tabs, if as many, where most rows have them.
RowDivision division_of(const sculpt::LargeVector<TextRow>& rows, std::size_t columns);
