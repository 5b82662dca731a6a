// The metrics of each run on each split, with the standard error of the loss.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text/message_text.hpp"
#include "report/figure/row_chart.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> split_names = {"train", "validation", "test"};
// Counts in the metrics of a split, and its error.
constexpr std::array<const char*, 5> other_keys = {"loss_standard_error", "examples",
                                                   "log_loss_examples", "unlabelled", "no_output"};

Json metrics_of(const RunRecord& run, const char* split) {
  Json metrics = run.finished.is_object() ? run.finished.value(split, Json()) : Json();
  return metrics.is_object() ? metrics : Json(nullptr);
}

// The names of all metrics, in order of appearance.
std::vector<std::string> metric_names(const ReportInput& input) {
  std::vector<std::string> names;
  for (const RunRecord& run : input.runs) {
    for (const char* split : split_names) {
      const Json metrics = metrics_of(run, split);
      for (const auto& [name, value] : metrics.items()) {
        const bool is_metric =
            std::find(other_keys.begin(), other_keys.end(), name) == other_keys.end();
        if (is_metric && std::find(names.begin(), names.end(), name) == names.end()) {
          names.push_back(name);
        }
      }
    }
  }
  return names;
}

std::string metric_text(const Json& metrics, const std::string& name) {
  const double value = number_at(metrics, name.c_str());
  const double error = name == "loss" ? number_at(metrics, "loss_standard_error") : unknown;
  const std::string text = std::isfinite(value) ? number_text(value, 4) : "–";
  return std::isfinite(error) ? text + " ± " + number_text(error, 2) : text;
}

// "lower is better" and the like.
std::string direction_of(const ReportInput& input, const std::string& metric) {
  for (const RunRecord& run : input.runs) {
    const Json better = run.finished.is_object() ? run.finished.value("better", Json()) : Json();
    std::string text = text_at(better, metric.c_str());
    if (!text.empty()) return text;
  }
  return "";
}

// The runs and splits that were measured: the columns of the table.
struct MeasuredSplit {
  std::string heading;
  Json metrics;
};

std::vector<MeasuredSplit> measured_splits(const ReportInput& input) {
  std::vector<MeasuredSplit> measured;
  for (const RunRecord& run : input.runs) {
    for (const char* split : split_names) {
      Json metrics = metrics_of(run, split);
      if (metrics.is_null()) continue;
      const std::string prefix = input.runs.size() > 1 ? run.label + ", " : "";
      measured.push_back({prefix + split, std::move(metrics)});
    }
  }
  return measured;
}

void write_table(Markup& out, const ReportInput& input, const std::vector<std::string>& names) {
  const std::vector<MeasuredSplit> measured = measured_splits(input);
  out << "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Metrics\"><table "
         "class=\"metrics\"><thead><tr><th scope=\"col\">metric</th>";
  for (const MeasuredSplit& split : measured)
    out << "<th scope=\"col\">" << split.heading << "</th>";
  out << "</tr></thead><tbody>\n";
  for (const std::string& name : names) {
    out << "<tr><th scope=\"row\">" << name;
    const std::string direction = direction_of(input, name);
    if (direction == "higher") out << " <span title=\"higher is better\">↑</span>";
    if (direction == "lower") out << " <span title=\"lower is better\">↓</span>";
    out << "</th>";
    for (const MeasuredSplit& split : measured) {
      out << "<td>" << metric_text(split.metrics, name) << "</td>";
    }
    out << "</tr>\n";
  }
  out << "<tr><th scope=\"row\">examples</th>";
  for (const MeasuredSplit& split : measured) {
    out << "<td>" << number_text(number_at(split.metrics, "examples"), 12) << "</td>";
  }
  out << "</tr>\n</tbody></table></div>\n<p class=\"note\">± one standard error of the mean over "
         "the "
         "examples. ↓ lower is better, ↑ higher is better.</p>\n";
}

// The losses with their errors, as dots.
void write_losses(Markup& out, const ReportInput& input) {
  RowChart chart;
  chart.has_bars = false;
  chart.figure.id = "losses";
  chart.figure.title = "Mean loss of each split";
  chart.figure.description = "The mean loss with one standard error to both sides.";
  chart.figure.table.columns = {"split", "loss", "standard error"};
  chart.x_label = "mean loss";
  const bool is_alone = input.runs.size() == 1;
  for (const char* split : split_names) {
    ChartRow row;
    row.name = split;
    for (std::size_t k = 0; k < input.runs.size(); ++k) {
      const Json metrics = metrics_of(input.runs[k], split);
      const double loss = number_at(metrics, "loss");
      if (!std::isfinite(loss)) continue;
      const double error = number_at(metrics, "loss_standard_error");
      row.marks.push_back({loss, error, style_of_run(k), {}, ""});
      if (chart.figure.table.groups.empty()) chart.figure.table.groups.emplace_back();
      chart.figure.table.groups.front().rows.push_back(
          {is_alone ? split : split + std::string(", ") + input.runs[k].label, cell_text(loss),
           cell_text(error)});
    }
    if (!row.marks.empty()) chart.rows.push_back(std::move(row));
  }
  if (chart.rows.empty()) return;
  if (!is_alone) {
    for (std::size_t k = 0; k < input.runs.size(); ++k) {
      chart.figure.legend.push_back({input.runs[k].label, style_of_run(k), false});
    }
  }
  out << "<div class=\"figures\">\n";
  write_row_chart(out, chart);
  out << "</div>\n";
}

}  // namespace

void write_metrics(Markup& out, const ReportInput& input) {
  const std::vector<std::string> names = metric_names(input);
  if (names.empty()) return;
  out << "<section id=\"metrics\"><h2>Metrics</h2>\n";
  write_table(out, input, names);
  write_losses(out, input);
  out << "</section>\n";
}

}  // namespace sculpt::core
