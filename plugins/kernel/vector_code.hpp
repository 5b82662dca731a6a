// vector_code.hpp - four doubles as one value, and whether the processor has AVX2.
//
// Loops that cost time are compiled twice on x86-64: for every processor, and for AVX2 without
// fused operations. Both do the same operations in the same order. So the bits are the same.
#pragma once

#include <cstddef>

namespace kernel {

inline constexpr std::size_t lanes = 4;
typedef double Lanes __attribute__((vector_size(32)));
// The same at the address of any double. A `using` would not lower the alignment in clang.
typedef double UnalignedLanes __attribute__((vector_size(32), aligned(8), may_alias));

#if defined(__x86_64__)
#define KERNEL_AVX2 [[gnu::target("avx2")]]
inline bool has_avx2() {
  static const bool result = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
  }();
  return result;
}
#else
#define KERNEL_AVX2
inline bool has_avx2() {
  return false;
}
#endif

}  // namespace kernel
