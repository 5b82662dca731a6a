// measures.hpp - how well an output tells the positive rows of a set from the others.
//
// Of P positive rows and N others; the output takes p for positive, a of them rightly. What depends
// on the order alone is the mean over all orders of the rows that tie.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "set_output.hpp"

namespace contingency {

struct Contingency {
  std::int64_t positive = 0;   // P
  std::int64_t negative = 0;   // N
  std::int64_t matched = 0;    // a
  std::int64_t predicted = 0;  // p

  std::int64_t rows() const { return positive + negative; }
};

// How many rows an output takes for positive.
struct TakenRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

// Requires truth[rows] of 0 and 1, y[rows] as set_output.hpp has it.
Contingency count(std::span<const std::int32_t> truth, std::span<const std::int32_t> y);
std::vector<sculpt::TiedRows> tied_rows(std::span<const std::int32_t> truth,
                                        std::span<const std::int32_t> y);

// The share of the pairs of a positive row and another one that the order has right, a tie being
// half of one. Requires both kinds.
double roc_area(std::span<const sculpt::TiedRows> order);

}  // namespace contingency
