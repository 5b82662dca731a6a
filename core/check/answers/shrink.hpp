// shrink.hpp - simplifies the numbers of a failing case. Called by claim_checker and by the tests
// of small graphs.
#pragma once

#include <functional>
#include <vector>

namespace sculpt::core {

// Sets values to zero, in blocks of decreasing size, and replaces the others by small whole
// numbers, as long as `fails` is true. Requires fails(values). Calls `fails` at most `max_calls`
// times.
void shrink_values(std::vector<double>& values,
                   const std::function<bool(const std::vector<double>&)>& fails, int max_calls);

}  // namespace sculpt::core
