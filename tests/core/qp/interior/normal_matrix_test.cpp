// The matrix of a Newton step and its factorization.

#include "qp/interior/normal_matrix.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "parallel/workers.hpp"
#include "qp/working_set/working_set.hpp"

using namespace sculpt::core;

namespace {

// The weighted scatter matrix of the planes and the zero plane about their mean, by the definition.
Eigen::MatrixXd scatter(const std::vector<Eigen::VectorXd>& planes,
                        const std::vector<double>& weight, double zero_weight) {
  const Eigen::Index size = planes.front().size();
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(size);
  double total = 0;
  for (std::size_t p = 0; p < planes.size(); ++p) {
    mean += weight[p] * planes[p];
    total += weight[p];
  }
  if (total > 0) mean /= total + zero_weight;
  if (std::isinf(zero_weight)) mean.setZero();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t p = 0; p < planes.size(); ++p) {
    sum += weight[p] * (planes[p] - mean) * (planes[p] - mean).transpose();
  }
  if (!std::isinf(zero_weight)) sum += zero_weight * mean * mean.transpose();
  return sum;
}

}  // namespace

TEST_CASE("the matrix of a Newton step is the sum of the scatter matrices of the blocks") {
  Workers workers(2);
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    const std::size_t size = seed % 4 == 3 ? 100 : 1 + seed % 7;
    const bool sparse = seed % 2 == 0;
    WorkingSet working_set(3, static_cast<std::int64_t>(size), SlackTerm::linear(1));
    std::vector<std::vector<Eigen::VectorXd>> planes(3);
    std::vector<std::vector<std::uint8_t>> chosen(3, {0});
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t p = 0; p < 1 + (seed + i) % 4; ++p) {
        Vector a(size, 0.0);
        for (std::size_t j = 0; j < size; ++j) {
          if (!sparse || j % 5 == p) a[j] = normal(random);
        }
        a[0] += 1;
        working_set.add(static_cast<std::int64_t>(i), PlaneVector(a), 1, p + 1);
        planes[i].push_back(Eigen::Map<Eigen::VectorXd>(a.data(), static_cast<Eigen::Index>(size)));
        chosen[i].push_back(1);
      }
    }
    PlaneRows rows;
    rows.gather(working_set, chosen);
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < rows.columns(); ++j) columns.push_back(rows.weight_index(j));
    const auto dimension = static_cast<Eigen::Index>(columns.size());
    NormalMatrix matrix(seed % 8 == 3 ? &workers : nullptr);  // 100 columns use panels
    const std::vector<double> diagonal(columns.size(), 1.5);
    matrix.set_diagonal(diagonal);
    Eigen::MatrixXd all = 1.5 * Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(size),
                                                          static_cast<Eigen::Index>(size));
    const double zero_weights[] = {0.0, 3.0, std::numeric_limits<double>::infinity()};
    std::vector<double> weight;
    for (std::size_t p = 0; p < rows.rows(); ++p) {
      weight.push_back(p % 5 == 4 ? 0 : std::exp(3 * normal(random)));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const double zero_weight = zero_weights[(seed + i) % 3];
      const std::vector<double> own(
          weight.begin() + static_cast<std::ptrdiff_t>(rows.block_begin(i)),
          weight.begin() + static_cast<std::ptrdiff_t>(rows.block_end(i)));
      matrix.add_block(rows, rows.block_begin(i), rows.block_end(i), weight, zero_weight);
      all += scatter(planes[i], own, zero_weight);
    }
    REQUIRE(matrix.factorize());
    Eigen::VectorXd expected(dimension);
    std::vector<double> right(columns.size());
    for (double& value : right) value = normal(random);
    Eigen::MatrixXd part(dimension, dimension);
    for (Eigen::Index r = 0; r < dimension; ++r) {
      for (Eigen::Index c = 0; c < dimension; ++c) {
        part(r, c) = all(static_cast<Eigen::Index>(columns[static_cast<std::size_t>(r)]),
                         static_cast<Eigen::Index>(columns[static_cast<std::size_t>(c)]));
      }
    }
    expected = part.ldlt().solve(Eigen::Map<Eigen::VectorXd>(right.data(), dimension));
    matrix.solve(right);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      CHECK(right[j] == doctest::Approx(expected(static_cast<Eigen::Index>(j))).epsilon(1e-8));
    }
  }
}

TEST_CASE("the matrix of a Newton step is not singular if columns differ by powers of ten") {
  WorkingSet working_set(1, 2, SlackTerm::linear(1));
  working_set.add(0, PlaneVector(Vector{1e8, 1}), 1, 1);
  working_set.add(0, PlaneVector(Vector{-1e8, 1}), 1, 2);
  PlaneRows rows;
  rows.gather(working_set, {{0, 1, 1}});
  NormalMatrix matrix(nullptr);
  matrix.set_diagonal(std::vector<double>{1, 1});
  matrix.add_block(rows, 0, 2, std::vector<double>{1, 1}, std::numeric_limits<double>::infinity());
  REQUIRE(matrix.factorize());  // [1 + 2e16, 0; 0, 3]
  std::vector<double> x = {2e16, 3};
  matrix.solve(x);
  CHECK(x[0] == doctest::Approx(1));
  CHECK(x[1] == doctest::Approx(1));
}
