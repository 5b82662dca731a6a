#include "report/figure/chart_style.hpp"

#include <array>

namespace sculpt::core {

std::string colour_class(std::size_t colour) {
  return "c" + std::to_string(colour % colour_count);
}

std::string dash_text(std::size_t dash) {
  constexpr std::array<const char*, 7> patterns = {"none", "7 4",     "2 3", "10 3 2 3",
                                                   "14 4", "5 2 1 2", "1 5"};
  return patterns[dash % patterns.size()];
}

void write_marker(Markup& out, std::size_t marker, double x, double y) {
  constexpr double r = 3.5;
  switch (marker % 6) {
    case 0:
      out << "<circle cx=\"" << Length{x} << "\" cy=\"" << Length{y} << "\" r=\"3.2\"/>";
      return;
    case 1:
      out << "<rect x=\"" << Length{x - 3} << "\" y=\"" << Length{y - 3}
          << "\" width=\"6\" height=\"6\"/>";
      return;
    case 2:
      out << "<path d=\"M" << Length{x} << " " << Length{y - r - 0.6} << "l4.2 7.2h-8.4z\"/>";
      return;
    case 3:
      out << "<path d=\"M" << Length{x} << " " << Length{y - r - 1}
          << "l4.5 4.5l-4.5 4.5l-4.5 -4.5z\"/>";
      return;
    case 4:
      out << "<path d=\"M" << Length{x} << " " << Length{y + r + 0.6} << "l4.2 -7.2h-8.4z\"/>";
      return;
    default:
      out << "<path class=\"cross\" d=\"M" << Length{x - r} << " " << Length{y - r}
          << "l7 7m0 -7l-7 7\"/>";
  }
}

void write_swatch(Markup& out, const CurveStyle& style, bool has_line) {
  out << "<svg class=\"swatch " << colour_class(style.colour)
      << "\" viewBox=\"0 0 30 12\" aria-hidden=\"true\" focusable=\"false\">";
  if (has_line) {
    out << "<path class=\"line\" d=\"M1 6H29\" stroke-dasharray=\"" << dash_text(style.dash)
        << "\"/>";
  }
  out << "<g class=\"mark\">";
  write_marker(out, style.marker, 15, 6);
  out << "</g></svg>";
}

}  // namespace sculpt::core
