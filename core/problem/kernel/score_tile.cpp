#include "problem/kernel/score_tile.hpp"

namespace sculpt::core {

#if defined(__x86_64__)
namespace {

[[gnu::target("avx2")]] void add_support_wide(const SparseBeta<double>& beta, std::size_t begin,
                                              std::size_t end, const double* values,
                                              double* scores) {
  add_support<score_lanes>(beta, begin, end, values, scores);
}

}  // namespace

template <>
void add_support_of_lanes(const SparseBeta<double>& beta, std::size_t begin, std::size_t end,
                          const double* values, double* scores) {
  static const bool has_wide = __builtin_cpu_supports("avx2") != 0;
  if (has_wide) return add_support_wide(beta, begin, end, values, scores);
  add_support<score_lanes>(beta, begin, end, values, scores);
}
#else
template <>
void add_support_of_lanes(const SparseBeta<double>& beta, std::size_t begin, std::size_t end,
                          const double* values, double* scores) {
  add_support<score_lanes>(beta, begin, end, values, scores);
}
#endif

}  // namespace sculpt::core
