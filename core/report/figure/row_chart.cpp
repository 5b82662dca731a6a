#include "report/figure/row_chart.hpp"

#include <algorithm>
#include <cmath>

#include "report/figure/scale.hpp"

namespace sculpt::core {
namespace {

constexpr double row_width = 480;
constexpr double rows_top = 8;
constexpr double row_gap = 9;
constexpr double mark_height = 14;
constexpr double axis_height = 42;
constexpr std::size_t max_name_length = 26;
constexpr double character_width = 6.6;
constexpr double text_width = 58;  // behind the longest bar

std::vector<double> all_values(const RowChart& chart) {
  std::vector<double> values;
  if (chart.has_bars) values.push_back(0);
  for (const ChartRow& row : chart.rows) {
    for (const RowMark& mark : row.marks) {
      values.push_back(mark.value);
      values.insert(values.end(), mark.parts.begin(), mark.parts.end());
      if (!std::isfinite(mark.error)) continue;
      values.push_back(mark.value - mark.error);
      values.push_back(mark.value + mark.error);
    }
  }
  return values;
}

double name_width(const RowChart& chart) {
  std::size_t longest = 4;
  for (const ChartRow& row : chart.rows) longest = std::max(longest, row.name.size());
  return 14 + character_width * static_cast<double>(std::min(longest, max_name_length + 1));
}

double row_height(const ChartRow& row) {
  return row_gap + mark_height * static_cast<double>(std::max<std::size_t>(1, row.marks.size()));
}

class RowPlot {
 public:
  explicit RowPlot(const RowChart& chart)
      : chart_(chart),
        left_(name_width(chart)),
        bottom_(rows_top),
        x_(ScaleKind::linear, all_values(chart), left_ + (chart.has_bars ? 0 : 10),
           row_width - (chart.has_bars ? text_width : 16)) {
    for (const ChartRow& row : chart.rows) bottom_ += row_height(row);
  }

  FigureSize size() const { return {row_width, bottom_ + axis_height}; }

  void draw(Markup& out) const {
    out << "<g class=\"grid\">";
    for (const Tick& tick : x_.ticks(5)) {
      out << "<path d=\"M" << Length{x_.position(tick.value)} << " " << Length{rows_top} << "V"
          << Length{bottom_} << "\"/>";
    }
    out << "</g><g class=\"ticks\" text-anchor=\"middle\">";
    for (const Tick& tick : x_.ticks(5)) {
      out << "<text x=\"" << Length{x_.position(tick.value)} << "\" y=\"" << Length{bottom_ + 16}
          << "\">" << tick.label << "</text>";
    }
    out << "</g><text class=\"label\" text-anchor=\"end\" x=\"" << Length{row_width - 12}
        << "\" y=\"" << Length{bottom_ + 36} << "\">" << chart_.x_label << "</text>\n";
    double y = rows_top;
    for (const ChartRow& row : chart_.rows) {
      draw_row(out, row, y);
      y += row_height(row);
    }
  }

 private:
  void draw_row(Markup& out, const ChartRow& row, double y) const {
    const double centre = y + row_height(row) / 2;
    out << "<text class=\"name";
    if (row.is_best) out << " best";
    out << "\" text-anchor=\"end\" x=\"" << Length{left_ - 8} << "\" y=\"" << Length{centre + 4}
        << "\">" << shortened_text(row.name, max_name_length) << "</text>";
    double middle = y + row_gap / 2 + mark_height / 2;
    for (const RowMark& mark : row.marks) {
      if (std::isfinite(mark.value)) draw_mark(out, mark, middle);
      middle += mark_height;
    }
    out << "\n";
  }

  void draw_mark(Markup& out, const RowMark& mark, double y) const {
    const double x = x_.position(mark.value);
    out << "<g class=\"" << colour_class(mark.style.colour) << "\">";
    if (chart_.has_bars) {
      const double zero = x_.position(0);
      out << "<rect class=\"bar\" x=\"" << Length{std::min(x, zero)} << "\" y=\"" << Length{y - 5}
          << "\" width=\"" << Length{std::abs(x - zero)} << "\" height=\"10\"/>";
    } else {
      for (const double part : mark.parts) {
        if (!std::isfinite(part)) continue;
        out << "<circle class=\"part\" cx=\"" << Length{x_.position(part)} << "\" cy=\""
            << Length{y} << "\" r=\"3\"/>";
      }
      if (std::isfinite(mark.error)) {
        out << "<path class=\"error\" d=\"M" << Length{x_.position(mark.value - mark.error)} << " "
            << Length{y} << "H" << Length{x_.position(mark.value + mark.error)} << "\"/>";
      }
      out << "<g class=\"mark\">";
      write_marker(out, mark.style.marker, x, y);
      out << "</g>";
    }
    out << "</g>";
    if (mark.text.empty()) return;
    const double behind = chart_.has_bars ? std::max(x, x_.position(0)) : x;
    out << "<text class=\"value\" x=\"" << Length{behind + 5} << "\" y=\"" << Length{y + 4} << "\">"
        << mark.text << "</text>";
  }

  const RowChart& chart_;
  double left_;
  double bottom_;
  Scale x_;
};

}  // namespace

void write_row_chart(Markup& out, const RowChart& chart) {
  const RowPlot plot(chart);
  write_figure(out, chart.figure, plot.size(), [&](Markup& inner) { plot.draw(inner); });
}

}  // namespace sculpt::core
