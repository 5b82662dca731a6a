// Sums of squares for the matrix of Newton steps, compared with a plain loop.

#include "linalg/square_sum.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace sculpt::core;

TEST_CASE("sums of squares: any range of columns of the lower triangle is computed") {
  constexpr std::size_t dimension = 37;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const std::size_t count : {std::size_t{4}, std::size_t{12}}) {
    std::vector<double> rows(count * dimension);
    for (double& value : rows) value = normal(random);
    std::vector<double> sign(count, 1.0);
    sign[2] = -1;
    sign.back() = 0;
    for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, dimension},
                                     std::pair<std::size_t, std::size_t>{3, 20},
                                     std::pair<std::size_t, std::size_t>{36, 37}}) {
      std::vector<double> matrix(dimension * dimension, 0.5);
      add_square_sum({matrix.data(), dimension, begin, end}, rows.data(), sign);
      for (std::size_t column = 0; column < dimension; ++column) {
        for (std::size_t row = column; row < dimension; ++row) {
          double expected = 0.5;
          for (std::size_t k = 0; k < count && column >= begin && column < end; ++k) {
            expected += sign[k] * rows[k * dimension + row] * rows[k * dimension + column];
          }
          CHECK(matrix[column * dimension + row] == doctest::Approx(expected).epsilon(1e-12));
        }
      }
    }
  }
}
