// line_chart.hpp - curves over one axis, such as the gap against oracle calls.
//
// Values without a place on the axis, such as a gap of 0 on a log scale, stand below it, on a line
// of their own that is labelled "0". Values that are not finite leave a hole. Called by
// progress_section.cpp.
#pragma once

#include <string>
#include <vector>

#include "report/figure/figure.hpp"
#include "report/figure/scale.hpp"

namespace sculpt::core {

struct Curve {
  CurveStyle style;
  std::vector<double> x;  // ascending
  std::vector<double> y;  // [x]
  // Where its values are in the table: the script reads them there.
  std::size_t group = 0;
  std::size_t column = 0;
};

struct LineChart {
  Figure figure;
  std::string x_label;
  std::string y_label;
  ScaleKind x_kind = ScaleKind::log;
  ScaleKind y_kind = ScaleKind::log;
  std::vector<Curve> curves;
};

void write_line_chart(Markup& out, const LineChart& chart);

}  // namespace sculpt::core
