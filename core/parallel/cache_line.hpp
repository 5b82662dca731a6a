// cache_line.hpp - the distance that objects of several threads keep.
//
// Two threads that write to one cache line wait for each other, though they write to different
// bytes. So an object of one thread that lies beside that of another is declared
// alignas(cache_line).
#pragma once

#include <cstddef>

namespace sculpt::core {

inline constexpr std::size_t cache_line = 64;  // bytes

}  // namespace sculpt::core
