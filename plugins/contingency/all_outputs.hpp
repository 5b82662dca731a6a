// all_outputs.hpp - every output that a small set of rows has in training, for brute force.
#pragma once

#include <sculpt/sculpt.hpp>

#include "measures.hpp"

namespace contingency {

// All ways to take so many rows for positive. Returns how many there are; visits none when the rows
// could have more than `limit`.
std::int64_t each_choice(std::int64_t rows, const TakenRange& range, std::int64_t limit,
                         const sculpt::Visit& visit);

// All orders of positive rows (1 in `truth`) and others (0), neighbours of one kind tied. Likewise.
std::int64_t each_order(sculpt::Labels truth, std::int64_t limit, const sculpt::Visit& visit);

}  // namespace contingency
