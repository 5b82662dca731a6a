// What each kind of figure draws: all marks within the axes, ticks that cover the data, and text
// out of files as text.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "page_tree.hpp"
#include "report/figure/heat_map.hpp"
#include "report/figure/line_chart.hpp"
#include "report/figure/row_chart.hpp"

using namespace sculpt::core;
using sculpt::test::Element;
using sculpt::test::page_tree;

namespace {

const std::string hostile = "<b>x</b> & \"y\"";

template <class Chart>
Element drawn(const Chart& chart, void (*write)(Markup&, const Chart&)) {
  Markup out;
  write(out, chart);
  return page_tree("<!DOCTYPE html>" + out.text());
}

// A figure with hostile text wherever it can have some.
Figure hostile_figure() {
  Figure figure;
  figure.id = "figure";
  figure.title = figure.description = figure.note = hostile;
  figure.legend = {{hostile, {}, true}};
  figure.table.columns = {hostile, "value"};
  figure.table.groups = {{hostile, {{hostile, hostile}}}};
  return figure;
}

// How often the text of an element, and that of all in it, contains `wanted`.
std::size_t count_in(const std::string& text, const std::string& wanted) {
  std::size_t count = 0;
  for (std::size_t at = text.find(wanted); at != std::string::npos;
       at = text.find(wanted, at + wanted.size())) {
    ++count;
  }
  return count;
}

double number_of(const Element& element, const std::string& key) {
  return std::stod(element.attribute(key));
}

struct Place {
  double x;
  double y;
};

// The points of a path "M1 2L3 4M5 6".
std::vector<Place> points_of(std::string path) {
  for (char& c : path) c = c == 'M' || c == 'L' ? ' ' : c;
  std::istringstream numbers(path);
  std::vector<Place> points;
  for (Place point{}; numbers >> point.x >> point.y;) points.push_back(point);
  return points;
}

const Element& child_of(const Element& figure, const std::string& name, const std::string& of_class,
                        std::size_t number = 0) {
  for (const Element* element : figure.all(name)) {
    if (element->attribute("class") == of_class && number-- == 0) return *element;
  }
  FAIL("there is no " << name << " of class " << of_class);
  return figure;
}

// The coordinates of the labels of an axis, ascending.
std::vector<double> tick_places(const Element& ticks, const std::string& key) {
  std::vector<double> places;
  for (const Element* text : ticks.all("text")) places.push_back(number_of(*text, key));
  std::sort(places.begin(), places.end());
  return places;
}

// Ticks cover an axis if the rest at both ends is no longer than the longest way between two.
void check_cover(const std::vector<double>& ticks, double from, double to) {
  REQUIRE(ticks.size() >= 2);
  double longest = 0;
  for (std::size_t k = 1; k < ticks.size(); ++k)
    longest = std::max(longest, ticks[k] - ticks[k - 1]);
  CHECK(ticks.front() >= from - 0.1);
  CHECK(ticks.back() <= to + 0.1);
  CHECK(ticks.front() - from <= longest * 1.01 + 0.1);
  CHECK(to - ticks.back() <= longest * 1.01 + 0.1);
}

const std::vector<std::vector<double>> value_lists = {
    {1, 80},   {1, 2, 99}, {0.5, 3},      {1e-9, 1, 1e3},    {20, 90},      {600, 5000, 17000},
    {7, 7},    {3, 1000},  {1, 1e5, 1e7}, {0.111, 0.195},    {1.05, 9.9},   {2e-4, 0.019},
    {41, 500}, {9, 110},   {0.3, 28},     {1234.5, 98765.4}, {1e200, 1e290}};

}  // namespace

TEST_CASE("line charts: curves are within the axes, ticks cover them, and text is escaped") {
  for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log}) {
    for (const std::vector<double>& values : value_lists) {
      CAPTURE(values.front());
      CAPTURE(values.back());
      LineChart chart;
      chart.figure = hostile_figure();
      chart.x_label = chart.y_label = hostile;
      chart.x_kind = chart.y_kind = kind;
      chart.curves.push_back({{0, 0, 1}, values, values, 0, 1});
      std::vector<double> falling(values.rbegin(), values.rend());
      falling.front() = kind == ScaleKind::log ? 0 : falling.front();
      chart.curves.push_back({{1, 1, 0}, values, falling, 0, 1});
      const Element figure = drawn(chart, write_line_chart);
      // The axis is the horizontal line "M62 256H468".
      const Element& axis = *child_of(figure, "g", "axis").all("path").front();
      const std::string line = axis.attribute("d");
      const double left = std::stod(line.substr(1));
      const double right = std::stod(line.substr(line.find('H') + 1));
      const double bottom = std::stod(line.substr(line.find(' ') + 1));
      std::size_t count = 0;
      double highest = bottom;
      for (const Element* path : figure.all("path")) {
        if (path->attribute("class") != "line" || path->attribute("d") == "M1 6H29") continue;
        for (const Place& point : points_of(path->attribute("d"))) {
          ++count;
          highest = std::min(highest, point.y);
          CHECK(point.x >= left);
          CHECK(point.x <= right);
          CHECK(point.y >= 0);
          CHECK(point.y <= bottom);
        }
      }
      CHECK(count == 2 * values.size());
      if (values.front() < values.back()) CHECK(highest < bottom / 2);
      check_cover(tick_places(child_of(figure, "g", "ticks", 1), "x"), left, right);
      CHECK(figure.all("b").empty());
      CHECK(count_in(figure.whole_text(), hostile) >= 10);
    }
  }
}

TEST_CASE("row charts: bars, dots and errors are within the figure, and text is escaped") {
  for (const bool has_bars : {true, false}) {
    for (const std::vector<double>& values : value_lists) {
      CAPTURE(has_bars);
      CAPTURE(values.back());
      RowChart chart;
      chart.figure = hostile_figure();
      chart.x_label = hostile;
      chart.has_bars = has_bars;
      for (const double value : values) {
        RowMark mark{value, has_bars ? std::nan("") : value / 2, {}, {value, value / 3}, hostile};
        chart.rows.push_back({hostile, {mark, {-value}}});
      }
      const Element figure = drawn(chart, write_row_chart);
      const Element& svg = child_of(figure, "svg", "chart");
      double left = 0;
      double top = 0;
      double width = 0;
      double height = 0;
      std::istringstream(svg.attribute("viewBox")) >> left >> top >> width >> height;
      std::size_t count = 0;
      double least = width;
      double most = 0;
      const auto check_mark = [&](double from, double to, double y) {
        ++count;
        least = std::min(least, from);
        most = std::max(most, to);
        CHECK(y > 0);
        CHECK(y < height);
      };
      for (const Element* bar : svg.all("rect")) {
        const double x = number_of(*bar, "x");
        check_mark(x, x + number_of(*bar, "width"), number_of(*bar, "y"));
      }
      for (const Element* dot : svg.all("circle")) {
        check_mark(number_of(*dot, "cx"), number_of(*dot, "cx"), number_of(*dot, "cy"));
      }
      for (const Element* path : svg.all("path")) {
        const std::string line = path->attribute("d");
        if (path->attribute("class") != "error") continue;
        check_mark(std::stod(line.substr(1)), std::stod(line.substr(line.find('H') + 1)),
                   std::stod(line.substr(line.find(' ') + 1)));
      }
      CHECK(count == (has_bars ? 2 : 5) * values.size());
      // Names stand left of the marks.
      const double names = number_of(child_of(figure, "text", "name"), "x");
      CHECK(least > names);
      CHECK(most <= width);
      check_cover(tick_places(child_of(figure, "g", "ticks"), "x"), least, most);
      CHECK(figure.all("b").empty());
      CHECK(count_in(figure.whole_text(), hostile) >= 9 + 2 * values.size());
    }
  }
}

TEST_CASE("heat maps: cells are within the figure, beside each other, and text is escaped") {
  for (const std::size_t columns : {1U, 2U, 7U, 40U}) {
    CAPTURE(columns);
    HeatMap map;
    map.figure = hostile_figure();
    map.row_label = map.column_label = hostile;
    map.rows = {hostile, "second"};
    for (std::size_t c = 0; c < columns; ++c) map.columns.push_back("<b>" + std::to_string(c));
    for (std::size_t r = 0; r < map.rows.size(); ++r) {
      auto& row = map.cells.emplace_back();
      for (std::size_t c = 0; c < columns; ++c) {
        row.push_back({static_cast<double>(r + c), hostile, r == 0 && c == 0});
      }
    }
    const Element figure = drawn(map, write_heat_map);
    const Element& svg = child_of(figure, "svg", "chart");
    double left = 0;
    double top = 0;
    double width = 0;
    double height = 0;
    std::istringstream(svg.attribute("viewBox")) >> left >> top >> width >> height;
    const std::vector<const Element*> cells = svg.all("rect");
    REQUIRE(cells.size() == 2 * columns);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const double x = number_of(*cells[k], "x");
      const double y = number_of(*cells[k], "y");
      CHECK(x > 0);
      CHECK(x + number_of(*cells[k], "width") <= width);
      CHECK(y > 0);
      CHECK(y + number_of(*cells[k], "height") <= height);
      if (k % columns > 0) {
        const Element& before = *cells[k - 1];
        CHECK(x >= number_of(before, "x") + number_of(before, "width"));
      }
      if (k >= columns) {
        const Element& above = *cells[k - columns];
        CHECK(y >= number_of(above, "y") + number_of(above, "height"));
      }
      CHECK(number_of(*cells[k], "fill-opacity") >= 0);
      CHECK(number_of(*cells[k], "fill-opacity") <= 1);
    }
    // The names of the columns stand above their cells.
    const std::vector<double> names = tick_places(child_of(figure, "g", "ticks"), "x");
    REQUIRE(names.size() == columns);
    for (std::size_t c = 0; c < columns; ++c) {
      const double middle = number_of(*cells[c], "x") + number_of(*cells[c], "width") / 2;
      CHECK(names[c] == doctest::Approx(middle).epsilon(0.001));
    }
    CHECK(cells.front()->attribute("class") == "cell best");
    CHECK(figure.all("b").empty());
    CHECK(count_in(figure.whole_text(), hostile) >= 2 * columns + 9);
  }
}
