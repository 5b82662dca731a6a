// measures.hpp - how well an output separates the positive rows of a set from the negative ones.
//
// There are P positive and N negative rows. The output predicts p rows positive, a of them
// correctly. Measures of the order average over all orders of tied rows. Used by the losses and the
// oracle.
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

// A range for the number of rows that an output predicts positive.
struct PredictedRange {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

// Counts the rows of each kind, and the rows that y predicts positive. Requires truth[rows] of 0
// and 1, and y[rows] as in set_output.hpp.
Contingency count_outcomes(std::span<const std::int32_t> truth, std::span<const std::int32_t> y);
std::vector<sculpt::TiedRows> tied_rows(std::span<const std::int32_t> truth,
                                        std::span<const std::int32_t> y);

// Returns the share of the pairs of a positive and a negative row in the right order. A tie counts
// half. Requires both kinds.
double roc_area(std::span<const sculpt::TiedRows> order);

}  // namespace contingency
