#include "report/figure/scale.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <utility>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// From this power of ten on, or below the other, labels are powers.
constexpr double large_value = 1e5;
constexpr double small_value = 1e-3;

std::string superscript(int number) {
  constexpr std::array<const char*, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) {
    text += digits[static_cast<std::size_t>(digit - '0')];
  }
  return text;
}

// The smallest step of 1, 2 or 5 times a power of ten that divides `width` at most `max_count - 1`
// times.
double linear_step(double width, int max_count) {
  const double least = width / std::max(1, max_count - 1);
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// The multiples of a step within the ends.
std::vector<Tick> multiples(double lower, double upper, double step) {
  std::vector<Tick> ticks;
  for (double k = std::ceil(lower / step - 1e-9); k * step <= upper + step * 1e-9; ++k) {
    // k / (1 / step) is exact for steps such as 0.1, k * step is not.
    const double value = k == 0 ? 0 : step < 1 ? k / std::round(1 / step) : k * step;
    ticks.push_back({value, tick_text(value)});
  }
  return ticks;
}

// A step that divides the width may have only one multiple within the ends. A smaller one then has
// two, unless it has more than `max_count`.
std::vector<Tick> linear_ticks(double lower, double upper, int max_count) {
  const double width = upper - lower;
  std::vector<Tick> ticks = multiples(lower, upper, linear_step(width, max_count));
  for (int parts = max_count + 1; ticks.size() < 2 && parts <= 3 * max_count; ++parts) {
    std::vector<Tick> more = multiples(lower, upper, linear_step(width, parts));
    if (std::ssize(more) <= max_count) ticks = std::move(more);
  }
  return ticks;
}

// Every power of ten, or every second, third, ... one if they are too many.
std::vector<Tick> powers_of_ten(double lower, double upper, int max_count) {
  const int first = static_cast<int>(std::ceil(std::log10(lower) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(upper) + 1e-9));
  const int steps = max_count - 1;
  const int stride = std::max(1, (last - first + steps - 1) / steps);
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; exponent += stride) {
    const double value = std::pow(10, exponent);
    ticks.push_back({value, tick_text(value)});
  }
  return ticks;
}

// These factors times all powers of ten.
std::vector<Tick> multiples_of_powers(double lower, double upper,
                                      const std::vector<double>& factors) {
  const int first = static_cast<int>(std::floor(std::log10(lower)));
  const int last = static_cast<int>(std::floor(std::log10(upper) + 1e-9));
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (const double factor : factors) {
      const double value = factor * std::pow(10, exponent);
      if (value < lower * (1 - 1e-9) || value > upper * (1 + 1e-9)) continue;
      ticks.push_back({value, tick_text(value)});
    }
  }
  return ticks;
}

}  // namespace

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size == 0 || (size >= small_value && size < large_value)) return number_text(value, 6);
  int exponent = static_cast<int>(std::floor(std::log10(size)));
  double factor = value / std::pow(10, exponent);
  if (std::abs(factor) >= 10 * (1 - 1e-9)) factor /= 10, ++exponent;
  std::string power = "10" + superscript(exponent);
  const std::string factor_text = number_text(factor, 3);
  if (factor_text == "1") return power;
  return factor_text == "-1" ? "-" + power : factor_text + "·" + power;
}

bool Scale::has_place(ScaleKind kind, double value) {
  return std::isfinite(value) && (kind == ScaleKind::linear || value > 0);
}

Scale::Scale(ScaleKind kind, std::span<const double> values, double from, double to)
    : kind_(kind), lower_(0), upper_(0), from_(from), to_(to) {
  bool is_first = true;
  // The difference of the largest and the smallest double overflows.
  constexpr double largest = DBL_MAX / 4;
  for (const double input : values) {
    if (!has_place(input)) continue;
    const double value = std::clamp(input, -largest, largest);
    lower_ = is_first ? value : std::min(lower_, value);
    upper_ = is_first ? value : std::max(upper_, value);
    is_first = false;
  }
  if (is_first) {
    lower_ = kind_ == ScaleKind::log ? 1 : 0;
    upper_ = kind_ == ScaleKind::log ? 10 : 1;
  } else if (kind_ == ScaleKind::log) {
    constexpr double least_ratio = 1.1;
    if (upper_ / lower_ < least_ratio) {
      lower_ = std::max(DBL_MIN, lower_ / 1.5);
      upper_ = std::min(DBL_MAX, upper_ * 1.5);
    }
  } else if (!(upper_ - lower_ > 1e-9 * std::max(std::abs(lower_), std::abs(upper_)))) {
    const double margin = lower_ == 0 ? 1 : std::abs(lower_) / 10;
    lower_ -= margin;
    upper_ += margin;
  }
}

double Scale::position(double value) const {
  const auto map = [this](double x) { return kind_ == ScaleKind::log ? std::log10(x) : x; };
  const double share = (map(value) - map(lower_)) / (map(upper_) - map(lower_));
  return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
}

std::vector<Tick> Scale::ticks(int max_count) const {
  if (max_count < 2) return {};
  if (kind_ == ScaleKind::linear) return linear_ticks(lower_, upper_, max_count);
  const double decades = std::log10(upper_) - std::log10(lower_);
  if (decades < 1) return linear_ticks(lower_, upper_, max_count);
  if (decades >= 2) return powers_of_ten(lower_, upper_, max_count);
  for (const std::vector<double>& factors : {std::vector<double>{1, 2, 5}, {1, 5}, {1}}) {
    std::vector<Tick> ticks = multiples_of_powers(lower_, upper_, factors);
    if (std::ssize(ticks) <= max_count) return ticks;
  }
  return {};
}

}  // namespace sculpt::core
