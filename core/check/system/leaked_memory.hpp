// leaked_memory.hpp - whether something that is done again and again leaves memory behind.
//
// By the allocator's own books, so to the byte: malloc's, or the sanitizer's in its place. Memory
// that plugins get elsewhere (mmap) is not seen.
#pragma once

#include <functional>

namespace sculpt::core {

// Bytes that each call of `round` leaves in use: the mean of ten calls, behind two that may fill
// what is kept. 0 unless every one of the ten adds some, as a leak does and a cache does not.
double leaked_per_round(const std::function<void()>& round);

// How often, at most `most` times, a round may repeat what takes `seconds`, so that
// leaked_per_round() ends within `time`; 0: not once.
int repetitions(double seconds, double time, int most);

}  // namespace sculpt::core
