#include "report/figure/heat_map.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

constexpr double map_width = 480;
constexpr double map_top = 26;  // below the names of the columns
constexpr double cell_height = 34;
constexpr double letter_width = 6.6;
constexpr std::size_t max_row_length = 18;
// A stronger shade would make the number in the cell hard to read.
constexpr double strongest_shade = 0.6;

class HeatPlot {
 public:
  explicit HeatPlot(const HeatMap& map) : map_(map) {
    std::size_t longest = 3;
    for (const std::string& row : map.rows) longest = std::max(longest, row.size());
    left_ = 16 + letter_width * static_cast<double>(std::min(longest, max_row_length + 1));
    cell_width_ =
        std::min(110.0, (map_width - left_ - 8) /
                            static_cast<double>(std::max<std::size_t>(1, map.columns.size())));
    for (const auto& row : map.cells) {
      for (const HeatCell& cell : row) {
        if (!std::isfinite(cell.value)) continue;
        lower_ = std::min(lower_, cell.value);
        upper_ = std::max(upper_, cell.value);
      }
    }
  }

  FigureSize size() const {
    return {map_width, map_top + cell_height * static_cast<double>(map_.rows.size()) + 28};
  }

  void draw(Markup& out) const {
    out << "<g class=\"ticks\" text-anchor=\"middle\">";
    const auto letters = static_cast<std::size_t>(std::max(3.0, cell_width_ / letter_width - 1));
    for (std::size_t c = 0; c < map_.columns.size(); ++c) {
      out << "<text x=\"" << Length{x_of(c) + cell_width_ / 2} << "\" y=\"" << Length{map_top - 9}
          << "\">" << shortened_text(map_.columns[c], letters) << "</text>";
    }
    out << "</g><g class=\"ticks\" text-anchor=\"end\">";
    for (std::size_t r = 0; r < map_.rows.size(); ++r) {
      out << "<text x=\"" << Length{left_ - 8} << "\" y=\"" << Length{y_of(r) + cell_height / 2 + 4}
          << "\">" << shortened_text(map_.rows[r], max_row_length) << "</text>";
    }
    out << "</g>\n";
    for (std::size_t r = 0; r < map_.rows.size(); ++r) {
      for (std::size_t c = 0; c < map_.columns.size(); ++c) draw_cell(out, r, c);
      out << "\n";
    }
    out << "<text class=\"label\" x=\"" << Length{left_} << "\" y=\"" << Length{size().height - 9}
        << "\">across: " << map_.column_label << ", down: " << map_.row_label << "</text>\n";
  }

 private:
  double x_of(std::size_t column) const {
    return left_ + cell_width_ * static_cast<double>(column);
  }
  double y_of(std::size_t row) const { return map_top + cell_height * static_cast<double>(row); }

  double shade_of(double value) const {
    if (!std::isfinite(value)) return 0;
    const double share = upper_ > lower_ ? (value - lower_) / (upper_ - lower_) : 0;
    return strongest_shade * (map_.smaller_is_better ? 1 - share : share);
  }

  void draw_cell(Markup& out, std::size_t row, std::size_t column) const {
    const HeatCell& cell = map_.cells[row][column];
    out << "<rect class=\"cell";
    if (cell.is_best) out << " best";
    out << "\" fill-opacity=\"" << Length{shade_of(cell.value)} << "\" x=\""
        << Length{x_of(column) + 1} << "\" y=\"" << Length{y_of(row) + 1} << "\" width=\""
        << Length{cell_width_ - 2} << "\" height=\"" << Length{cell_height - 2}
        << "\"/><text class=\"value";
    if (cell.is_best) out << " best";
    out << "\" text-anchor=\"middle\" x=\"" << Length{x_of(column) + cell_width_ / 2} << "\" y=\""
        << Length{y_of(row) + cell_height / 2 + 4} << "\">" << cell.text << "</text>";
  }

  const HeatMap& map_;
  double left_ = 0;
  double cell_width_ = 0;
  double lower_ = std::numeric_limits<double>::infinity();
  double upper_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

void write_heat_map(Markup& out, const HeatMap& map) {
  const HeatPlot plot(map);
  write_figure(out, map.figure, plot.size(), [&](Markup& inner) { plot.draw(inner); });
}

}  // namespace sculpt::core
