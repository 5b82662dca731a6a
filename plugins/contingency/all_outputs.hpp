// all_outputs.hpp - enumerates all outputs of a small set of rows in training, for brute force.
//
// Called by set_oracle.cpp.
#pragma once

#include <sculpt/sculpt.hpp>

#include "measures.hpp"

namespace contingency {

// Visits all outputs whose number of rows predicted positive is in `range`. Returns the number of
// outputs. Visits none if that could exceed `limit`.
std::int64_t each_labelling(std::int64_t rows, const PredictedRange& range, std::int64_t limit,
                            const sculpt::Visit& visit);

// Visits all orders of positive rows (1 in `truth`) and negative rows (0). Neighbours of one kind
// tie. Returns the same as each_labelling().
std::int64_t each_order(sculpt::Labels truth, std::int64_t limit, const sculpt::Visit& visit);

}  // namespace contingency
