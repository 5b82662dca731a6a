#include "linalg/square_sum.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace sculpt::core {
namespace {

// Four doubles in one vector register.
using Four [[gnu::vector_size(4 * sizeof(double))]] = double;

// With this many rows and two columns, the sums stay in registers.
constexpr std::size_t rows_at_a_time = 8;

[[gnu::always_inline]] inline void add_to(double* at, const Four& sum) {
  Four value;
  std::memcpy(&value, at, sizeof(value));
  value += sum;
  std::memcpy(at, &value, sizeof(value));
}

// Adds to two columns, or to one passed twice. `x`: the first of these rows in x_0. `of_one`,
// `of_other`: the factors of x_0, x_1, ...
[[gnu::always_inline]] inline void add_tile(double* one, double* other, const double* x,
                                            std::size_t distance, const double* of_one,
                                            const double* of_other, std::size_t count) {
  Four one_low{}, one_high{}, other_low{}, other_high{};
  for (std::size_t k = 0; k < count; ++k, x += distance) {
    Four low, high;
    std::memcpy(&low, x, sizeof(low));
    std::memcpy(&high, x + 4, sizeof(high));
    one_low += of_one[k] * low;
    one_high += of_one[k] * high;
    other_low += of_other[k] * low;
    other_high += of_other[k] * high;
  }
  add_to(one, one_low);
  add_to(one + 4, one_high);
  if (one == other) return;
  add_to(other, other_low);
  add_to(other + 4, other_high);
}

[[gnu::always_inline]] inline void add_all(const LowerColumns& matrix, const double* rows,
                                           std::span<const double> sign) {
  const std::size_t dimension = matrix.dimension;
  const std::size_t count = sign.size();
  std::vector<double> factor((matrix.end - matrix.begin) * count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = matrix.begin; j < matrix.end; ++j) {
      factor[(j - matrix.begin) * count + k] = sign[k] * rows[k * dimension + j];
    }
  }
  std::size_t i = matrix.begin;
  for (; i + rows_at_a_time <= dimension; i += rows_at_a_time) {
    const std::size_t end = std::min(matrix.end, i + rows_at_a_time);
    for (std::size_t j = matrix.begin; j < end; j += 2) {
      const std::size_t other = j + 1 < end ? j + 1 : j;
      add_tile(matrix.data + j * dimension + i, matrix.data + other * dimension + i, rows + i,
               dimension, &factor[(j - matrix.begin) * count],
               &factor[(other - matrix.begin) * count], count);
    }
  }
  for (; i < dimension; ++i) {
    for (std::size_t j = matrix.begin; j < std::min(matrix.end, i + 1); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k) {
        sum += factor[(j - matrix.begin) * count + k] * rows[k * dimension + i];
      }
      matrix.data[j * dimension + i] += sum;
    }
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void add_all_wide(const LowerColumns& matrix, const double* rows,
                                          std::span<const double> sign) {
  add_all(matrix, rows, sign);
}
#endif

}  // namespace

void add_square_sum(const LowerColumns& matrix, const double* rows, std::span<const double> sign) {
#if defined(__x86_64__)
  static const bool is_wide = __builtin_cpu_supports("avx2") != 0;
  if (is_wide) return add_all_wide(matrix, rows, sign);
#endif
  add_all(matrix, rows, sign);
}

}  // namespace sculpt::core
