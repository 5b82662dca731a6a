// leaked_memory.hpp - measures whether a repeated operation leaks memory. Used by leak_tests and
// library_tests.
//
// Uses the statistics of the allocator, exact to the byte: those of malloc, or of the sanitizer
// that replaces it. Memory that plugins get in other ways (mmap) is not counted.
#pragma once

#include <functional>

namespace sculpt::core {

// Calls `round` twice to fill caches, then ten times. Returns by how many bytes the memory in use
// grows in each of the ten calls, on average. Returns 0 if one of the ten calls adds nothing,
// because a leak adds bytes in every call. If all add bytes, ten more calls must add bytes, too;
// the smaller average is returned.
double leaked_per_round(const std::function<void()>& round);

// Returns how often a round may repeat an operation that takes `seconds`, at most `max_repetitions`
// times. leaked_per_round() then ends within `total_seconds`, or twice that if there is a leak. 0:
// there is no time for one.
int repetitions(double seconds, double total_seconds, int max_repetitions);

}  // namespace sculpt::core
