// Where the time of each run went.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "report/figure/row_chart.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

struct TimePart {
  const char* key;
  const char* name;
};

constexpr std::array<TimePart, 8> parts = {{{"reading_seconds", "reading data"},
                                            {"oracle_seconds", "oracle"},
                                            {"sweep_seconds", "sweeps"},
                                            {"qp_seconds", "QP"},
                                            {"reduction_seconds", "reduction"},
                                            {"evaluation_seconds", "evaluation"},
                                            {"writing_seconds", "writing files"},
                                            {"rest_seconds", "rest"}}};

// The seconds of a part so far. Before the end of a run, reading is in the event "started".
double seconds_of(const RunRecord& run, const char* key) {
  const double seconds = number_at(run.newest(), key);
  return std::isfinite(seconds) ? seconds : number_at(run.started, key);
}

}  // namespace

void write_times(Markup& out, const ReportInput& input) {
  RowChart chart;
  chart.figure.id = "times";
  chart.figure.title = "Where the time went";
  chart.figure.description = "Seconds of wall-clock time that each run spent in each part.";
  chart.figure.table.columns = {"part"};
  chart.x_label = "seconds";
  DataTable::Group& table = chart.figure.table.groups.emplace_back();
  const bool is_alone = input.runs.size() == 1;
  for (const RunRecord& run : input.runs) {
    chart.figure.table.columns.push_back(is_alone ? "seconds" : run.label);
  }
  for (const TimePart& part : parts) {
    ChartRow row;
    row.name = part.name;
    std::vector<std::string> cells = {part.name};
    double largest = 0;
    for (std::size_t k = 0; k < input.runs.size(); ++k) {
      const double seconds = seconds_of(input.runs[k], part.key);
      row.marks.push_back({seconds, unknown, style_of_run(k), {}, number_text(seconds, 3)});
      cells.push_back(cell_text(seconds));
      if (std::isfinite(seconds)) largest = std::max(largest, seconds);
    }
    if (largest == 0) continue;
    chart.rows.push_back(std::move(row));
    table.rows.push_back(std::move(cells));
  }
  if (chart.rows.empty()) return;
  if (!is_alone) {
    for (std::size_t k = 0; k < input.runs.size(); ++k) {
      chart.figure.legend.push_back({input.runs[k].label, style_of_run(k), false});
    }
  }
  chart.figure.note =
      "Work of the oracle on all threads counts once. Of a run that has not ended, only passes "
      "that have ended count.";
  out << "<section id=\"time\"><h2>Time</h2>\n<div class=\"figures\">\n";
  write_row_chart(out, chart);
  out << "</div></section>\n";
}

}  // namespace sculpt::core
