// few_columns.hpp - when columns count as few of very many.
//
// One rule for ColumnsInUse, for how a dense sum is kept as a plane, and for what that is expected
// to take.
#pragma once

#include <cstddef>

namespace sculpt::core {

// Below it a walk over all columns is quick.
constexpr std::size_t least_very_many = std::size_t{1} << 20;

// Whether walks over `columns` of `dimension` weights save more than their order costs.
constexpr bool are_few_columns(std::size_t columns, std::size_t dimension) {
  constexpr std::size_t one_of = 16;
  return dimension >= least_very_many && columns * one_of < dimension;
}

}  // namespace sculpt::core
