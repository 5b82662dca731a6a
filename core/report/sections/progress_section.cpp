// How primal, dual, gap and the number of planes moved from pass to pass.

#include <algorithm>
#include <cmath>
#include <set>

#include "report/figure/line_chart.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

// The axis across, and a quantity.
struct Quantity {
  double PassRecord::*member;
  const char* name;
};

constexpr Quantity calls = {&PassRecord::oracle_calls, "oracle calls"};
constexpr Quantity seconds = {&PassRecord::seconds, "seconds"};

struct ChartPlan {
  const char* id;
  const char* title;
  const char* description;
  Quantity x;
  std::vector<Quantity> quantities;
  const char* y_label;
};

// At most `max_count` of the passes that have a value, evenly spaced over the logarithm of x, with
// the first and the last one.
std::vector<const PassRecord*> thinned(const RunRecord& run, const ChartPlan& plan,
                                       std::size_t max_count) {
  std::vector<const PassRecord*> passes;
  for (const PassRecord& pass : run.passes) {
    const bool has_value =
        std::any_of(plan.quantities.begin(), plan.quantities.end(),
                    [&](const Quantity& q) { return std::isfinite(pass.*q.member); });
    if (has_value && std::isfinite(pass.*plan.x.member)) passes.push_back(&pass);
  }
  if (passes.size() <= max_count) return passes;
  const double last = std::log(static_cast<double>(passes.size()));
  std::set<std::size_t> kept;
  for (std::size_t k = 0; k < max_count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(max_count - 1);
    kept.insert(static_cast<std::size_t>(std::lround(std::exp(share * last))) - 1);
  }
  kept.insert(passes.size() - 1);
  std::vector<const PassRecord*> result;
  for (const std::size_t k : kept) result.push_back(passes[k]);
  return result;
}

// The columns are the pass, x and the quantities.
void add_run(const ReportInput& input, std::size_t k, const ChartPlan& plan, std::size_t max_points,
             LineChart& chart) {
  const bool is_alone = input.runs.size() == 1;
  const std::vector<const PassRecord*> passes = thinned(input.runs[k], plan, max_points);
  DataTable::Group group;
  group.name = is_alone ? "" : input.runs[k].label;
  for (const PassRecord* pass : passes) {
    std::vector<std::string> row = {cell_text(pass->pass), cell_text(pass->*plan.x.member)};
    for (const Quantity& q : plan.quantities) row.push_back(cell_text(pass->*q.member));
    group.rows.push_back(std::move(row));
  }
  for (std::size_t q = 0; q < plan.quantities.size(); ++q) {
    Curve curve;
    // One run: a colour for each quantity. Several: a colour and a marker for each run; the second
    // quantity has gaps in its line.
    curve.style = is_alone ? CurveStyle{q, q, q} : style_of_run(k);
    if (!is_alone && plan.quantities.size() > 1) curve.style.dash = q;
    curve.group = chart.figure.table.groups.size();
    curve.column = q + 2;
    for (const PassRecord* pass : passes) {
      curve.x.push_back(pass->*plan.x.member);
      curve.y.push_back(pass->*plan.quantities[q].member);
    }
    chart.curves.push_back(std::move(curve));
  }
  chart.figure.table.groups.push_back(std::move(group));
}

void add_legend(const ReportInput& input, const ChartPlan& plan, Figure& figure) {
  const bool is_alone = input.runs.size() == 1;
  if (is_alone && plan.quantities.size() > 1) {
    for (std::size_t q = 0; q < plan.quantities.size(); ++q) {
      figure.legend.push_back({plan.quantities[q].name, {q, q, q}, true});
    }
  }
  if (is_alone) return;
  for (std::size_t k = 0; k < input.runs.size(); ++k) {
    CurveStyle style = style_of_run(k);
    if (plan.quantities.size() > 1) style.dash = 0;
    figure.legend.push_back({input.runs[k].label, style, true});
  }
  if (plan.quantities.size() < 2) return;
  figure.note = std::string("Full lines: ") + plan.quantities[0].name +
                ". Broken lines: " + plan.quantities[1].name + ".";
}

bool has_points(const LineChart& chart) {
  return std::any_of(chart.curves.begin(), chart.curves.end(), [](const Curve& curve) {
    return std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
  });
}

void write_chart(Markup& out, const ReportInput& input, const ChartPlan& plan,
                 std::size_t max_points) {
  LineChart chart;
  chart.figure.id = plan.id;
  chart.figure.title = plan.title;
  chart.figure.description = plan.description;
  chart.x_label = plan.x.name;
  chart.y_label = plan.y_label;
  chart.figure.table.columns = {"pass", plan.x.name};
  for (const Quantity& q : plan.quantities) chart.figure.table.columns.emplace_back(q.name);
  for (std::size_t k = 0; k < input.runs.size(); ++k) add_run(input, k, plan, max_points, chart);
  if (!has_points(chart)) return;
  add_legend(input, plan, chart.figure);
  write_line_chart(out, chart);
}

}  // namespace

void write_progress(Markup& out, const ReportInput& input, const PageLimits& limits) {
  const bool has_passes = std::any_of(input.runs.begin(), input.runs.end(),
                                      [](const RunRecord& run) { return !run.passes.empty(); });
  if (!has_passes) return;
  const std::vector<Quantity> bounds = {{&PassRecord::primal, "primal P"},
                                        {&PassRecord::dual, "dual D"}};
  const std::vector<Quantity> gap = {{&PassRecord::gap, "gap P − D"}};
  const std::vector<Quantity> planes = {{&PassRecord::planes, "planes"},
                                        {&PassRecord::active_planes, "active planes"}};
  const std::string bounds_text =
      "The best primal objective P so far falls, and the dual objective D rises, until they meet. "
      "Both axes are logarithmic.";
  const std::size_t points = std::max<std::size_t>(4, limits.points / input.runs.size());
  out << "<section id=\"progress\"><h2>Progress</h2>\n<div class=\"figures\">\n";
  write_chart(out, input,
              {"bounds-calls", "Primal and dual against oracle calls", bounds_text.c_str(), calls,
               bounds, "objective"},
              points);
  write_chart(out, input,
              {"bounds-seconds", "Primal and dual against seconds", bounds_text.c_str(), seconds,
               bounds, "objective"},
              points);
  write_chart(out, input,
              {"gap-calls", "Gap against oracle calls",
               "The difference of the best P and D. It bounds how far the weights are from the "
               "optimum. Both axes are logarithmic.",
               calls, gap, "gap P − D"},
              points);
  write_chart(out, input,
              {"gap-seconds", "Gap against seconds",
               "The difference of the best P and D. It bounds how far the weights are from the "
               "optimum. Both axes are logarithmic.",
               seconds, gap, "gap P − D"},
              points);
  write_chart(out, input,
              {"planes", "Planes in the working set",
               "The constraints that the run keeps, and those that carry a dual variable above 0. "
               "Both axes are logarithmic.",
               calls, planes, "planes"},
              points);
  out << "</div></section>\n";
}

}  // namespace sculpt::core
