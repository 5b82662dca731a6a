// shrink.hpp - makes the numbers of a failing case simple.
#pragma once

#include <functional>
#include <vector>

namespace sculpt::core {

// Sets values to zero, a half of them at a time, then fewer, and rounds the others to small whole
// numbers, as long as `fails` still holds. Requires fails(values). Asks at most `budget` times.
void shrink_values(std::vector<double>& values,
                   const std::function<bool(const std::vector<double>&)>& fails, int budget);

}  // namespace sculpt::core
