#include "check/system/leaked_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/infinity.hpp"

// Declared in sanitizer/allocator_interface.h. Defined only in programs built with a sanitizer.
// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" __attribute__((weak)) std::size_t __sanitizer_get_current_allocated_bytes();

namespace sculpt::core {
namespace {

constexpr int filling_rounds = 2;
constexpr int counted_rounds = 10;
constexpr int series = 2;  // a cache that still grows, such as that of malloc, ends one of them

std::int64_t bytes_in_use() {
  if (__sanitizer_get_current_allocated_bytes != nullptr) {
    return static_cast<std::int64_t>(__sanitizer_get_current_allocated_bytes());
  }
  const struct mallinfo2 statistics = ::mallinfo2();
  return static_cast<std::int64_t>(statistics.uordblks + statistics.hblkhd);
}

// 0 if one round adds nothing.
double growth_per_round(const std::function<void()>& round) {
  const std::int64_t first = bytes_in_use();
  std::int64_t last = first;
  for (int k = 0; k < counted_rounds; ++k) {
    round();
    const std::int64_t current = bytes_in_use();
    if (current <= last) return 0;
    last = current;
  }
  return static_cast<double>(last - first) / counted_rounds;
}

}  // namespace

double leaked_per_round(const std::function<void()>& round) {
  for (int k = 0; k < filling_rounds; ++k) round();
  double least = infinity;
  for (int repeat = 0; repeat < series; ++repeat) {
    least = std::min(least, growth_per_round(round));
    if (least == 0) return 0;
  }
  return least;
}

int repetitions(double seconds, double total_seconds, int max_repetitions) {
  constexpr int rounds = filling_rounds + counted_rounds;
  if (seconds * rounds * max_repetitions <= total_seconds) return max_repetitions;
  return static_cast<int>(total_seconds / (seconds * rounds));
}

}  // namespace sculpt::core
