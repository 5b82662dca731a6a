// vector_code.hpp - four doubles as one value, and whether the processor has AVX2.
//
// Loops that cost time are compiled twice on x86-64: for every processor, and for AVX2 without
// fused operations. Both do the same operations in the same order. So the bits are the same.
#pragma once

#include <cstddef>
#include <cstring>

namespace kernel {

inline constexpr std::size_t lanes = 4;
typedef double Lanes __attribute__((vector_size(32)));

// Reads and writes four doubles at any address. A pointer to a type with a lower alignment would
// not do: compilers drop it where they deduce the type.
[[gnu::always_inline]] inline void load(const double* from, Lanes& to) {
  std::memcpy(&to, from, sizeof to);
}
[[gnu::always_inline]] inline void store(const Lanes& from, double* to) {
  std::memcpy(to, &from, sizeof from);
}

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
