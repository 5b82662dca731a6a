#include "message_text.hpp"

#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace sculpt::core {

std::string short_name(std::string_view id) {
  return std::string(id.substr(id.rfind('.') + 1));
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text + " ";
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string exact_number_text(double value) {
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

std::string range_text(double lower, double upper) {
  const bool below = std::isfinite(lower);
  const bool above = std::isfinite(upper);
  if (below && above) return "from " + exact_number_text(lower) + " to " + exact_number_text(upper);
  if (below && lower > 0 && lower <= DBL_MIN) return "above 0";
  if (below) return "of at least " + exact_number_text(lower);
  if (above) return "of at most " + exact_number_text(upper);
  return "";
}

}  // namespace sculpt::core
