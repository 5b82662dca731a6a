#include "problem/kernel/kernel_terms.hpp"

namespace sculpt::core {
namespace {

// to += sum of factor row, for four rows at a time. Every element has its own sum in the order of
// the terms, so wider instructions give the same bits.
[[gnu::always_inline]] inline void add_each(std::span<const KernelTerm> terms, std::size_t begin,
                                            std::size_t size, double* __restrict to) {
  std::size_t k = 0;
  for (; k + 4 <= terms.size(); k += 4) {
    const float* const r0 = terms[k].row + begin;
    const float* const r1 = terms[k + 1].row + begin;
    const float* const r2 = terms[k + 2].row + begin;
    const float* const r3 = terms[k + 3].row + begin;
    const double f0 = terms[k].factor;
    const double f1 = terms[k + 1].factor;
    const double f2 = terms[k + 2].factor;
    const double f3 = terms[k + 3].factor;
    for (std::size_t t = 0; t < size; ++t) {
      to[t] = (((to[t] + f0 * static_cast<double>(r0[t])) + f1 * static_cast<double>(r1[t])) +
               f2 * static_cast<double>(r2[t])) +
              f3 * static_cast<double>(r3[t]);
    }
  }
  for (; k < terms.size(); ++k) {
    const float* const row = terms[k].row + begin;
    for (std::size_t t = 0; t < size; ++t) {
      to[t] += terms[k].factor * static_cast<double>(row[t]);
    }
  }
}

void add_plainly(std::span<const KernelTerm> terms, std::size_t begin, std::size_t size,
                 double* to) {
  add_each(terms, begin, size, to);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void add_wide(std::span<const KernelTerm> terms, std::size_t begin,
                                      std::size_t size, double* to) {
  add_each(terms, begin, size, to);
}

#endif

}  // namespace

void add_terms(std::span<const KernelTerm> terms, std::size_t begin, std::size_t size, double* to) {
#if defined(__x86_64__)
  static const bool has_wide = __builtin_cpu_supports("avx2") != 0;
  if (has_wide) return add_wide(terms, begin, size, to);
#endif
  add_plainly(terms, begin, size, to);
}

}  // namespace sculpt::core
