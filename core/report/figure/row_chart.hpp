// row_chart.hpp - one row for each name: bars, or dots with their errors.
//
// Bars: seconds of phases, weights. Dots: losses with standard errors, folds of a sweep. Called by
// the sections of report/.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "report/figure/figure.hpp"

namespace sculpt::core {

// A bar or a dot.
struct RowMark {
  double value = 0;                                         // not finite: nothing is drawn
  double error = std::numeric_limits<double>::quiet_NaN();  // a line from - to + this; NaN: none
  CurveStyle style = {};
  std::vector<double> parts = {};  // small dots: the values that `value` is the mean of
  std::string text = {};           // behind the mark; "" for none
};

struct ChartRow {
  std::string name;
  std::vector<RowMark> marks;  // one below the other
  bool is_best = false;        // its name is in bold
};

struct RowChart {
  Figure figure;
  std::string x_label;
  bool has_bars = true;  // bars begin at 0; dots may have an axis without 0
  std::vector<ChartRow> rows;
};

void write_row_chart(Markup& out, const RowChart& chart);

}  // namespace sculpt::core
