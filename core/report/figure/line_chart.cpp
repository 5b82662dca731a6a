#include "report/figure/line_chart.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

constexpr FigureSize size = {480, 298};
constexpr double left = 62;
constexpr double right = 468;
constexpr double top = 26;  // below the name of the y axis
constexpr double bottom = 256;
constexpr double padding = 6;  // between the curves and the ends of the y axis
constexpr double gutter = 22;  // above the bottom, for values without a place
constexpr int x_ticks = 5;
constexpr int y_ticks = 6;

// A point of a curve in the picture.
struct Point {
  double x;
  double y;
};

std::vector<double> all_values(const LineChart& chart, std::vector<double> Curve::*member) {
  std::vector<double> values;
  for (const Curve& curve : chart.curves) {
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (std::isfinite(curve.y[k])) values.push_back((curve.*member)[k]);
    }
  }
  return values;
}

class Plot {
 public:
  explicit Plot(const LineChart& chart)
      : chart_(chart),
        has_gutter_(needs_gutter(chart)),
        floor_(has_gutter_ ? bottom - gutter : bottom - padding),
        x_(chart.x_kind, all_values(chart, &Curve::x), left, right),
        y_(chart.y_kind, all_values(chart, &Curve::y), floor_, top + padding) {}

  void draw(Markup& out) const {
    draw_axes(out);
    for (const Curve& curve : chart_.curves) draw_curve(out, curve);
  }

 private:
  // True if a finite value has no place on the y axis.
  static bool needs_gutter(const LineChart& chart) {
    const std::vector<double> values = all_values(chart, &Curve::y);
    return std::any_of(values.begin(), values.end(),
                       [&](double y) { return !Scale::has_place(chart.y_kind, y); });
  }

  void draw_axes(Markup& out) const {
    out << "<g class=\"grid\">";
    for (const Tick& tick : y_.ticks(y_ticks)) {
      out << "<path d=\"M" << Length{left} << " " << Length{y_.position(tick.value)} << "H"
          << Length{right} << "\"/>";
    }
    out << "</g><g class=\"axis\"><path d=\"M" << Length{left} << " " << Length{bottom} << "H"
        << Length{right} << "\"/>";
    const std::vector<Tick> ticks = x_.ticks(x_ticks);
    for (const Tick& tick : ticks) {
      out << "<path d=\"M" << Length{x_.position(tick.value)} << " " << Length{bottom} << "v4\"/>";
    }
    if (has_gutter_) {
      out << "<path class=\"break\" d=\"M" << Length{left} << " " << Length{bottom - gutter / 2 - 4}
          << "H" << Length{right} << "\"/>";
    }
    out << "</g>\n<g class=\"ticks\" text-anchor=\"end\">";
    for (const Tick& tick : y_.ticks(y_ticks)) {
      out << "<text x=\"" << Length{left - 8} << "\" y=\"" << Length{y_.position(tick.value) + 4}
          << "\">" << tick.label << "</text>";
    }
    if (has_gutter_) {
      out << "<text x=\"" << Length{left - 8} << "\" y=\"" << Length{bottom} << "\">≤ 0</text>";
    }
    out << "</g><g class=\"ticks\" text-anchor=\"middle\">";
    for (const Tick& tick : ticks) {
      out << "<text x=\"" << Length{x_.position(tick.value)} << "\" y=\"" << Length{bottom + 18}
          << "\">" << tick.label << "</text>";
    }
    out << "</g>\n<text class=\"label\" text-anchor=\"end\" x=\"" << Length{right} << "\" y=\""
        << Length{size.height - 6} << "\">" << chart_.x_label << "</text><text class=\"label\" x=\""
        << Length{6} << "\" y=\"" << Length{top - 13} << "\">" << chart_.y_label << "</text>\n";
  }

  Point point(const Curve& curve, std::size_t k) const {
    // A first pass may take 0 seconds: it stands at the left end.
    const double x = x_.has_place(curve.x[k]) ? x_.position(curve.x[k]) : left;
    const double y = y_.has_place(curve.y[k]) ? y_.position(curve.y[k]) : bottom - 4;
    return {x, y};
  }

  void draw_curve(Markup& out, const Curve& curve) const {
    std::vector<Point> points;
    Markup path;
    bool is_open = false;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (!std::isfinite(curve.y[k])) {
        is_open = false;
        continue;
      }
      points.push_back(point(curve, k));
      if (is_open) {
        path << "L";
      } else {
        path << "M";
      }
      path << Length{points.back().x} << " " << Length{points.back().y};
      is_open = true;
    }
    if (points.empty()) return;
    out << "<g class=\"" << colour_class(curve.style.colour) << "\"><path class=\"line\" data-g=\""
        << curve.group << "\" data-c=\"" << curve.column << "\" d=\"" << path
        << "\" stroke-dasharray=\"" << dash_text(curve.style.dash) << "\"/><g class=\"mark\">";
    draw_markers(out, curve.style.marker, points);
    out << "</g></g>\n";
  }

  // The first point, the last one, and those between them that are far enough from each other.
  static void draw_markers(Markup& out, std::size_t marker, const std::vector<Point>& points) {
    constexpr double distance = 60;
    double previous = -distance;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const bool is_last = k + 1 == points.size();
      const bool is_near_last = points.back().x - points[k].x < distance / 2;
      if (!is_last && (points[k].x - previous < distance || is_near_last)) continue;
      write_marker(out, marker, points[k].x, points[k].y);
      previous = points[k].x;
    }
  }

  const LineChart& chart_;
  bool has_gutter_;
  double floor_;
  Scale x_;
  Scale y_;
};

}  // namespace

void write_line_chart(Markup& out, const LineChart& chart) {
  write_figure(out, chart.figure, size, [&](Markup& inner) { Plot(chart).draw(inner); });
}

}  // namespace sculpt::core
