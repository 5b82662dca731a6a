// Figures: what is drawn for values that have no place, and what readers of screens are told.

#include "report/figure/figure.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "page_tree.hpp"
#include "report/figure/heat_map.hpp"
#include "report/figure/line_chart.hpp"
#include "report/figure/row_chart.hpp"

using namespace sculpt::core;
using sculpt::test::Element;
using sculpt::test::page_tree;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Element tree_of(const Markup& markup) {
  return page_tree("<!DOCTYPE html>" + markup.text());
}

// A chart of one curve, with a row in its table for each value.
Element chart_of(const std::vector<double>& x, const std::vector<double>& y) {
  LineChart chart;
  chart.figure.id = "gap";
  chart.figure.title = "The <gap>";
  chart.figure.description = "A & B";
  chart.figure.table.columns = {"pass", "calls", "gap"};
  DataTable::Group& group = chart.figure.table.groups.emplace_back();
  for (std::size_t k = 0; k < x.size(); ++k) {
    group.rows.push_back({std::to_string(k), cell_text(x[k]), cell_text(y[k])});
  }
  chart.curves.push_back({{}, x, y, 0, 2});
  Markup out;
  write_line_chart(out, chart);
  return tree_of(out);
}

std::string path_of(const Element& figure) {
  for (const Element* path : figure.all("path")) {
    if (path->attribute("class") == "line") return path->attribute("d");
  }
  return "";
}

}  // namespace

TEST_CASE("a figure has a role, a title, a description and its data as a table") {
  const Element figure = chart_of({1, 10}, {5, 0.5});
  const Element& svg = *figure.all("svg").front();
  CHECK(svg.attribute("role") == "img");
  CHECK(svg.attribute("aria-labelledby") == "gap-t gap-d");
  CHECK(figure.by_id("gap-t")->whole_text() == "The <gap>");
  CHECK(figure.by_id("gap-d")->whole_text() == "A & B");
  const std::vector<const Element*> rows = figure.all("tbody").front()->all("tr");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]->whole_text() == "015");
  CHECK(rows[1]->whole_text() == "1100.5");
}

TEST_CASE("values that are not known leave a hole in the curve") {
  const std::string path = path_of(chart_of({1, 2, 3, 4, 5}, {8, 4, missing, 2, 1}));
  CHECK(std::count(path.begin(), path.end(), 'M') == 2);
  CHECK(std::count(path.begin(), path.end(), 'L') == 2);
}

TEST_CASE("a gap of 0 stands below a log axis, on a line of its own") {
  const Element figure = chart_of({1, 2, 3}, {8, 4, 0});
  CHECK(path_of(figure).ends_with(" 252"));
  CHECK(figure.whole_text().find("≤ 0") != std::string::npos);
  CHECK(chart_of({1, 2}, {8, 4}).whole_text().find("≤ 0") == std::string::npos);
  // A curve of zeros alone.
  CHECK(path_of(chart_of({1, 2}, {0, 0})) == "M62 252L468 252");
}

TEST_CASE("a pass that took 0 seconds stands at the left end") {
  CHECK(path_of(chart_of({0, 1, 10}, {8, 4, 2})).starts_with("M62 "));
}

TEST_CASE("curves without any value, and charts without curves, are no error") {
  CHECK(path_of(chart_of({1, 2}, {missing, missing})).empty());
  CHECK(path_of(chart_of({}, {})).empty());
}

TEST_CASE("bars of negative values end at 0") {
  RowChart chart;
  chart.figure.id = "weights";
  for (const double value : {2.0, -2.0, missing}) chart.rows.push_back({"w", {{value}}});
  Markup out;
  write_row_chart(out, chart);
  const Element figure = tree_of(out);
  const std::vector<const Element*> bars = figure.all("rect");
  REQUIRE(bars.size() == 2);
  const double left = std::stod(bars[1]->attribute("x")) + std::stod(bars[1]->attribute("width"));
  CHECK(left == doctest::Approx(std::stod(bars[0]->attribute("x"))).epsilon(0.001));
  CHECK(bars[0]->attribute("width") == bars[1]->attribute("width"));
}

TEST_CASE("the strongest shade of a heat map is the best value, in both directions") {
  for (const bool smaller_is_better : {true, false}) {
    HeatMap map;
    map.figure.id = "map";
    map.rows = {"a"};
    map.columns = {"1", "2", "3"};
    map.cells = {{{1, "1", false}, {3, "3", false}, {missing, "–", false}}};
    map.smaller_is_better = smaller_is_better;
    Markup out;
    write_heat_map(out, map);
    const Element figure = tree_of(out);
    const std::vector<const Element*> cells = figure.all("rect");
    REQUIRE(cells.size() == 3);
    CHECK(cells[smaller_is_better ? 0 : 1]->attribute("fill-opacity") == "0.6");
    CHECK(cells[smaller_is_better ? 1 : 0]->attribute("fill-opacity") == "0");
    CHECK(cells[2]->attribute("fill-opacity") == "0");
  }
}

TEST_CASE("texts are cut between characters") {
  CHECK(shortened_text("naïve", 3) == "naï…");
  CHECK(shortened_text("naïve", 5) == "naïve");
  CHECK(shortened_text("", 5).empty());
}
