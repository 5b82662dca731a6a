// relative_frequencies.hpp - weights of a generative model: log p(event | its group), by counting.
//
// Called by generative.cpp.
//
//   w_j = log( (c_j + s) / sum over the group of j of (c + s) )        c: counts, s: pseudo_count
#pragma once

#include <cstdint>
#include <span>

#include "linalg/vector.hpp"

namespace sculpt::core {

struct Smoothing {
  // Added to every count. With 0, events that never occur get min_logarithm.
  double pseudo_count = 1;
  double min_logarithm = -100;
  double ungrouped_weight = 0;  // the weight of features without a group
};

// Returns w [dimension]. counts: [dimension], not negative. group: [dimension], -1: no group. In a
// group without counts all events are equally likely.
Vector log_relative_frequencies(std::span<const double> counts, std::span<const std::int32_t> group,
                                const Smoothing& smoothing);

}  // namespace sculpt::core
