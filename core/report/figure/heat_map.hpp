// heat_map.hpp - a value for each pair of two settings, as a grid of shades with the numbers in it.
//
// Called by sweep_section.cpp.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "report/figure/figure.hpp"

namespace sculpt::core {

struct HeatCell {
  double value = std::numeric_limits<double>::quiet_NaN();  // not finite: no shade
  std::string text;                                         // in the cell
  bool is_best = false;
};

struct HeatMap {
  Figure figure;
  std::string row_label;
  std::string column_label;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<HeatCell>> cells;  // [rows][columns]
  bool smaller_is_better = true;             // the best values have the strongest shade
};

void write_heat_map(Markup& out, const HeatMap& map);

}  // namespace sculpt::core
