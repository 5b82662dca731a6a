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

// Adds to two columns, or to one passed twice. `x`: the first of these rows in x_0, x_1 is `stride`
// numbers after it. `first_factor`, `second_factor`: of x_0, x_1, ...
[[gnu::always_inline]] inline void add_tile(double* first, double* second, const double* x,
                                            std::size_t stride, const double* first_factor,
                                            const double* second_factor, std::size_t count) {
  Four first_low{}, first_high{}, second_low{}, second_high{};
  for (std::size_t k = 0; k < count; ++k, x += stride) {
    Four low, high;
    std::memcpy(&low, x, sizeof(low));
    std::memcpy(&high, x + 4, sizeof(high));
    first_low += first_factor[k] * low;
    first_high += first_factor[k] * high;
    second_low += second_factor[k] * low;
    second_high += second_factor[k] * high;
  }
  add_to(first, first_low);
  add_to(first + 4, first_high);
  if (first == second) return;
  add_to(second, second_low);
  add_to(second + 4, second_high);
}

// Adds all rows to the columns: tiles of 8 rows and 2 columns, then the remaining rows one by one.
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
      const std::size_t second = j + 1 < end ? j + 1 : j;
      add_tile(matrix.data + j * dimension + i, matrix.data + second * dimension + i, rows + i,
               dimension, &factor[(j - matrix.begin) * count],
               &factor[(second - matrix.begin) * count], count);
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
[[gnu::target("avx2")]] void add_all_avx2(const LowerColumns& matrix, const double* rows,
                                          std::span<const double> sign) {
  add_all(matrix, rows, sign);
}
#endif

}  // namespace

void add_square_sum(const LowerColumns& matrix, const double* rows, std::span<const double> sign) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return add_all_avx2(matrix, rows, sign);
#endif
  add_all(matrix, rows, sign);
}

}  // namespace sculpt::core
