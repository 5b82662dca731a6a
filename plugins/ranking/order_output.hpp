// order_output.hpp - an order of the documents of a query, as one output.
//
//   y_i > y_j: document i comes before document j;  equal: they tie
//
// Canonical: the smallest numbers from 0 on that say so; but the order of the grades, equal ones
// tied, is written as the truth is, by the grades themselves.
#pragma once

#include <cstdint>
#include <sculpt/cpp/orders.hpp>
#include <sculpt/sculpt.hpp>
#include <span>

namespace ranking {

// Requires the smallest numbers from 0 on. `grades` may be unknown. y[documents], O(n)
void use_numbers_of_truth(sculpt::Labels grades, std::span<std::int32_t> y);

// Documents in the ascending order of value(document), equal ones tied. y[documents]
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

// Documents of two or more kinds, from the last one in the order to the first: those of one kind
// that stand together tie where their grades are equal. Requires that the grades ascend among
// these. kind, grades, y[documents]; bottom_up has each document once.
void write_runs(std::span<const std::int64_t> bottom_up, std::span<const std::int32_t> kind,
                sculpt::Labels grades, std::span<std::int32_t> y);

}  // namespace ranking
