// figure.hpp - what all figures have in common: a caption, a legend, a name for readers of screens,
// and the table of their data.
//
// Called by the figures of report/.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/figure/chart_style.hpp"
#include "report/figure/data_table.hpp"
#include "report/markup/markup.hpp"

namespace sculpt::core {

struct LegendEntry {
  std::string name;
  CurveStyle style;
  bool has_line = true;
};

struct Figure {
  std::string id;           // of the page, unique: letters, digits and "-"
  std::string title;        // a few words
  std::string description;  // what it shows, in a sentence or two
  std::string note;         // below the figure; "" for none
  std::vector<LegendEntry> legend;
  DataTable table;
};

struct FigureSize {
  double width = 0;
  double height = 0;
};

// Appends the whole figure. `draw` appends the content of its svg element.
void write_figure(Markup& out, const Figure& figure, FigureSize size,
                  const std::function<void(Markup&)>& draw);

// The first `max_length` characters of a text, with "…" in place of the rest.
std::string shortened_text(const std::string& text, std::size_t max_length);

}  // namespace sculpt::core
