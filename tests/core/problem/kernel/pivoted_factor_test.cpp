// The factor of a kernel's matrix has the columns of a plain Cholesky factorization, whatever rows
// are brought up to date ahead.

#include "problem/kernel/pivoted_factor.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/random.hpp"
#include "core/problem/kernel/point_kernel.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t count = 700;  // more than two tasks

// k(a, b) = 1 / (1 + (x_a - x_b)^2), x_a = a / 5, which is positive definite.
class CauchyKernel : public PointKernel {
 public:
  static double value(std::int64_t a, std::int64_t b) {
    const double distance = static_cast<double>(a - b) / 5;
    return 1 / (1 + distance * distance);
  }
  void rows(int, std::span<const std::int64_t> rows, std::span<const std::int64_t> others,
            std::span<double> out) override {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < others.size(); ++j) {
        out[i * others.size() + j] = value(rows[i], others[j]);
      }
    }
  }
};

std::vector<std::int64_t> all_atoms() {
  std::vector<std::int64_t> atoms;
  for (std::size_t k = 0; k < count; ++k) atoms.push_back(static_cast<std::int64_t>(3 * k + 2));
  return atoms;
}

// Column q of the factor, [atoms], one number at a time.
std::vector<Vector> plain_columns(const std::vector<std::int64_t>& atoms,
                                  const std::vector<std::size_t>& pivots) {
  std::vector<Vector> columns;
  for (const std::size_t pivot : pivots) {
    Vector column(count);
    for (std::size_t t = 0; t < count; ++t) {
      column[t] = CauchyKernel::value(atoms[pivot], atoms[t]);
      for (const Vector& before : columns) column[t] -= before[pivot] * before[t];
    }
    const double length = std::sqrt(column[pivot]);
    for (double& value : column) value /= length;
    columns.push_back(std::move(column));
  }
  return columns;
}

struct Factored {
  std::vector<std::size_t> pivots;  // numbers in the list
  std::vector<Vector> columns;      // [pivots][atoms]; 0 for the pivots before
};

// Draws 40 pivots, most of them from rows ahead.
Factored factored(int threads, std::size_t rows_ahead) {
  const std::vector<std::int64_t> atoms = all_atoms();
  CauchyKernel kernel;
  Workers workers(threads);
  PivotedFactor factor(kernel, workers, atoms);
  Random random(8, "pivots");
  Factored out;
  Vector left(count, 1.0);  // by number
  while (out.pivots.size() < 40) {
    std::size_t number = random.below(count);
    while (std::find(out.pivots.begin(), out.pivots.end(), number) != out.pivots.end()) {
      number = (number + 1) % count;
    }
    std::vector<std::size_t> positions;
    for (std::size_t t = factor.rank(); t < count; ++t) {
      if (factor.at(t) == number)
        positions.insert(positions.begin(), t);
      else if (positions.size() < rows_ahead && factor.at(t) % 7 == out.pivots.size() % 3) {
        positions.push_back(t);
      }
    }
    if (!factor.is_ahead(positions.front())) factor.look_ahead(positions);
    const std::size_t before = factor.rank();
    const auto column = factor.add(positions.front(), std::sqrt(left[number]));
    CHECK(factor.at(before) == number);
    Vector& stored = out.columns.emplace_back(count, 0.0);
    for (std::size_t t = 0; t < column.size(); ++t) {
      const std::size_t other = factor.at(before + t);
      stored[other] = column[t];
      left[other] -= column[t] * column[t];
      CHECK(factor.value(before + t, before) == column[t]);
    }
    out.pivots.push_back(number);
  }
  return out;
}

}  // namespace

TEST_CASE("a factor has the columns of a plain Cholesky factorization") {
  const Factored factor = factored(1, 20);
  const std::vector<Vector> plain = plain_columns(all_atoms(), factor.pivots);
  for (std::size_t q = 0; q < plain.size(); ++q) {
    for (std::size_t k = 0; k < count; ++k) {
      const auto at = std::find(factor.pivots.begin(), factor.pivots.end(), k);
      if (at < factor.pivots.begin() + static_cast<std::ptrdiff_t>(q)) continue;
      REQUIRE(factor.columns[q][k] == doctest::Approx(plain[q][k]).epsilon(1e-9));
    }
  }
}

TEST_CASE("the columns of a factor depend neither on the rows ahead nor on threads") {
  const Factored one = factored(1, 1);
  const Factored many = factored(1, 50);
  const Factored threads = factored(3, 20);
  CHECK(many.pivots == one.pivots);
  CHECK(many.columns == one.columns);
  CHECK(threads.columns == one.columns);
}
