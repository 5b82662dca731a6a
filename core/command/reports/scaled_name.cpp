#include "command/reports/scaled_name.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace sculpt::core {
namespace {

// Removes a text, or a finite number, from the front of `rest`. False if `rest` does not begin with
// it.
bool take(std::string_view& rest, std::string_view text) {
  if (!rest.starts_with(text)) return false;
  rest.remove_prefix(text.size());
  return true;
}
bool take(std::string_view& rest, double& number) {
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (problem != std::errc() || !std::isfinite(number)) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

// Removes the scale at the front of `rest` and returns its divisor; 0 if there is none.
double take_scale(std::string_view& rest) {
  std::string_view ahead = rest;
  double shift = 0;
  double divisor = 0;
  const bool shifted = take(ahead, " (- ");
  if (shifted && !(take(ahead, shift) && take(ahead, ", / "))) return 0;
  if (!shifted && !take(ahead, " (/ ")) return 0;
  if (!take(ahead, divisor) || !take(ahead, ")") || !(divisor > 0)) return 0;
  rest = ahead;
  return divisor;
}

}  // namespace

ScaledName scaled_name(const std::string& name) {
  ScaledName scaled;
  int found = 0;
  for (std::string_view rest = name; !rest.empty();) {
    if (const double divisor = take_scale(rest); divisor > 0) {
      scaled.divisor = divisor;
      ++found;
    } else {
      scaled.name += rest.front();
      rest.remove_prefix(1);
    }
  }
  if (found == 1) return scaled;
  return {name, std::nullopt};
}

}  // namespace sculpt::core
