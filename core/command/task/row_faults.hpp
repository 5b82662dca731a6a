// row_faults.hpp - what is wrong with rows that fit no format of a task.
//
// Called by data_format.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sculpt::core {

// A line of a file that is not empty, without its line end.
struct DataLine {
  std::int64_t number = 0;  // from 1
  std::string text;
};

// "CSV", or "a table of numbers without index:value", if nearly all lines are rows of as many
// cells: with commas or semicolons between them, or numbers with blanks. "": they are none.
std::string table_kind(const std::vector<DataLine>& lines);

struct RowFault {
  std::int64_t line = 0;
  std::string text;  // what is wrong and what to do
};

// The first row `label index:value ...` without a label, or with a label that is no number. Nothing
// if less than half of the lines are rows with index:value.
std::optional<RowFault> fault_of_rows(const std::vector<DataLine>& lines);

}  // namespace sculpt::core
