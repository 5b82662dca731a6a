#include "report/markup/markup.hpp"

#include <cmath>

#include "base/text/message_text.hpp"

namespace sculpt::core {

std::string escaped_text(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find_first_of("&<>\"'\n\t");
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    switch (text[end]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += text[end];
    }
    text.remove_prefix(end + 1);
  }
}

Markup& Markup::operator<<(Length length) {
  constexpr double steps = 100;  // digits that are visible in a figure
  const double rounded = std::isfinite(length.value) ? std::round(length.value * steps) / steps : 0;
  text_ += exact_number_text(rounded == 0 ? 0 : rounded);
  return *this;
}

}  // namespace sculpt::core
