// row_forms.hpp - the kernels of rows as functions of sums over features (row_engine.hpp).
//
//   linear        <a, b>
//   polynomial    (gamma <a, b> + coef0)^degree
//   rbf           exp(-gamma ||a - b||^2)
//   sigmoid       tanh(gamma <a, b> + coef0)
//   min_max       sum of minima / sum of maxima, 1 for two rows without values
//   normalized    <a, b> / sqrt(<a, a> <b, b>), 0 if one of them is 0
//
// Rbf and sigmoid use functions that have the same bits on all machines (small_exp.hpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <sculpt/cpp/small_exp.hpp>

#include "row_sums.hpp"

namespace kernel {

// Forms that take all rows.
struct AnyRow {
  static constexpr Combine combine = Combine::product;
  // Why a value is refused, and what to do; and whether it is.
  static constexpr const char* fault = "";
  static bool is_refused(double) { return false; }
  bool is_positive() const { return true; }
  // Returns a bound of |k(a, b)| if no row has a larger sum with itself.
  double bound(double own) const { return own; }
};

struct LinearForm : AnyRow {
  double value(double sum, double, double) const { return sum; }
};

struct PolynomialForm : AnyRow {
  double gamma;
  double coef0;
  std::int64_t degree;  // at least 1

  PolynomialForm(double scale, double shift, std::int64_t power)
      : gamma(scale), coef0(shift), degree(power) {}
  bool is_positive() const { return coef0 >= 0; }
  double value(double sum, double, double) const { return power_of(gamma * sum + coef0); }
  double bound(double own) const { return power_of(gamma * own + std::abs(coef0)); }
  double power_of(double base) const {
    if (degree == 2) return base * base;
    if (degree == 3) return base * base * base;
    double power = base;
    for (std::int64_t k = 1; k < degree; ++k) power *= base;
    return power;
  }
};

struct RbfForm : AnyRow {
  double gamma;

  explicit RbfForm(double scale) : gamma(scale) {}
  // Equal rows have the distance 0 exactly, because 2 sum is exact.
  double value(double sum, double of_a, double of_b) const {
    const double squared_distance = (of_a + of_b) - 2 * sum;
    return sculpt::negative_exp(-gamma * (squared_distance < 0 ? 0 : squared_distance));
  }
};

struct SigmoidForm : AnyRow {
  double gamma;
  double coef0;

  SigmoidForm(double scale, double shift) : gamma(scale), coef0(shift) {}
  bool is_positive() const { return false; }
  double value(double sum, double, double) const { return sculpt::small_tanh(gamma * sum + coef0); }
};

// sum of maxima = own sum of a + own sum of b - sum of minima.
struct MinMaxForm {
  static constexpr Combine combine = Combine::minimum;
  bool is_positive() const { return true; }
  double bound(double own) const { return own; }
  static constexpr const char* fault =
      "is negative, but min_max compares amounts; use data without negative values, or the kernel "
      "rbf";
  static bool is_refused(double value) { return value < 0; }
  double value(double minima, double of_a, double of_b) const {
    const double maxima = (of_a + of_b) - minima;
    return maxima > 0 ? minima / maxima : 1.0;
  }
};

struct TanimotoForm : MinMaxForm {
  static constexpr const char* fault =
      "is neither 0 nor 1, but tanimoto compares sets; write 0 or 1, or use the kernel min_max";
  static bool is_refused(double value) { return value != 0 && value != 1; }
};

// Equal own values divide exactly, so that k(a, a) is 1.
inline double normalized(double value, double of_a, double of_b) {
  const double length = of_a == of_b ? of_a : std::sqrt(of_a) * std::sqrt(of_b);
  return length > 0 ? value / length : 0.0;
}

struct CountForm : AnyRow {
  bool is_normalized;

  explicit CountForm(bool normalizes) : is_normalized(normalizes) {}
  double value(double sum, double of_a, double of_b) const {
    return is_normalized ? normalized(sum, of_a, of_b) : sum;
  }
};

}  // namespace kernel
