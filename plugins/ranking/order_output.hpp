// order_output.hpp - an order of the documents of a query as one output.
//
//   y_i > y_j: document i comes before document j;  equal: they tie
//
// An output is canonical: it uses the smallest numbers from 0 on. Exception: the order of the
// grades, equal grades tied, is written as the truth, by the grades themselves. Used by the
// dataset, the losses and the oracle.
#pragma once

#include <cstdint>
#include <sculpt/cpp/orders.hpp>
#include <sculpt/sculpt.hpp>
#include <span>

namespace ranking {

// Replaces y by the grades if it has their order. Requires the smallest numbers from 0 on. `grades`
// may be unknown. y[documents], O(n)
void use_numbers_of_truth(sculpt::Labels grades, std::span<std::int32_t> y);

// Writes the ascending order of value(document), equal values tied, to y[documents].
template <class Value>
void write_order(Value value, sculpt::Labels grades, std::span<std::int32_t> y) {
  std::int32_t number = -1;
  std::int64_t previous = 0;
  for (const std::int64_t document : sculpt::ascending(y.size(), value)) {
    if (number < 0 || value(previous) < value(document)) ++number;
    previous = document;
    y[static_cast<std::size_t>(document)] = number;
  }
  use_numbers_of_truth(grades, y);
}

// Writes an order of documents of two or more groups, given from the last document to the first.
// Consecutive documents of one group tie if their grades are equal. Requires that grades ascend
// among these. `bottom_up` has each document once. group, grades, y[documents]
void write_runs(std::span<const std::int64_t> bottom_up, std::span<const std::int32_t> group,
                sculpt::Labels grades, std::span<std::int32_t> y);

}  // namespace ranking
