// few_columns.hpp - the rule that says when few of many columns are in use.
//
// Used by ColumnsInUse, by PlaneVector for dense sums, and by solver/plane_memory.cpp.
#pragma once

#include <cstddef>

namespace sculpt::core {

// From this dimension on, a loop over all columns is slow.
constexpr std::size_t large_dimension = std::size_t{1} << 20;

// True if loops over `columns` of `dimension` weights save more time than sorting them costs.
constexpr bool are_few_columns(std::size_t columns, std::size_t dimension) {
  constexpr std::size_t min_ratio = 16;
  return dimension >= large_dimension && columns * min_ratio < dimension;
}

}  // namespace sculpt::core
