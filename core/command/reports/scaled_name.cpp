#include "command/reports/scaled_name.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace sculpt::core {
namespace {

// Removes a text, or a finite number, from the front of `rest`. False if `rest` does not begin with
// it.
bool remove_text(std::string_view& rest, std::string_view text) {
  if (!rest.starts_with(text)) return false;
  rest.remove_prefix(text.size());
  return true;
}
bool remove_number(std::string_view& rest, double& number) {
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (problem != std::errc() || !std::isfinite(number)) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

// Removes the scale at the front of `rest` and returns its divisor; 0 if there is none.
double remove_scale(std::string_view& rest) {
  std::string_view remaining = rest;
  double shift = 0;
  double divisor = 0;
  const bool has_shift = remove_text(remaining, " (- ");
  if (has_shift && !(remove_number(remaining, shift) && remove_text(remaining, ", / "))) return 0;
  if (!has_shift && !remove_text(remaining, " (/ ")) return 0;
  if (!remove_number(remaining, divisor) || !remove_text(remaining, ")")) return 0;
  if (!(divisor > 0)) return 0;
  rest = remaining;
  return divisor;
}

}  // namespace

WeightUnit scaled_name(const std::string& name) {
  WeightUnit scaled;
  int scale_count = 0;
  for (std::string_view rest = name; !rest.empty();) {
    if (const double divisor = remove_scale(rest); divisor > 0) {
      scaled.divisor = divisor;
      ++scale_count;
    } else {
      scaled.name += rest.front();
      rest.remove_prefix(1);
    }
  }
  if (scale_count == 1) return scaled;
  return {name, std::nullopt};
}

}  // namespace sculpt::core
