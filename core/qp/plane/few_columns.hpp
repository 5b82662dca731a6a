// few_columns.hpp - the rule that says when columns are few of very many.
//
// Used by ColumnsInUse, by the storage of dense sums as planes, and by the estimate of their
// memory.
#pragma once

#include <cstddef>

namespace sculpt::core {

// Below this dimension a walk over all columns is fast.
constexpr std::size_t very_many_columns = std::size_t{1} << 20;

// True if loops over `columns` of `dimension` weights save more time than sorting them costs.
constexpr bool are_few_columns(std::size_t columns, std::size_t dimension) {
  constexpr std::size_t one_of = 16;
  return dimension >= very_many_columns && columns * one_of < dimension;
}

}  // namespace sculpt::core
