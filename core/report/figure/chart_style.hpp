// chart_style.hpp - colours, dashes and markers, by which curves differ.
//
// The colours are those of Okabe and Ito, "Color Universal Design" (2008), which people of all
// kinds of colour vision can tell apart. The style sheet names them c0 to c6, in an order for light
// and one for dark pages. Dashes and markers tell the same without colour. Called by the figures.
#pragma once

#include <cstddef>
#include <string>

#include "report/markup/markup.hpp"

namespace sculpt::core {

inline constexpr std::size_t colour_count = 7;

// How one curve is drawn. Each member counts from 0, and begins again after the last one.
struct CurveStyle {
  std::size_t colour = 0;
  std::size_t dash = 0;    // 0: a line without gaps
  std::size_t marker = 0;  // a shape
};

// The attribute class of its colour: "c3".
std::string colour_class(std::size_t colour);
// The value of stroke-dasharray.
std::string dash_text(std::size_t dash);
// Appends the shape, centred at a point.
void write_marker(Markup& out, std::size_t marker, double x, double y);
// Appends the small picture of a curve for a legend. `has_line`: also its line, not only its
// marker.
void write_swatch(Markup& out, const CurveStyle& style, bool has_line);

}  // namespace sculpt::core
