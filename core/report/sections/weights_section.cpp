// The largest weights of each run, by name.

#include "base/text/message_text.hpp"
#include "report/figure/row_chart.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

void write_run(Markup& out, const ReportInput& input, std::size_t k, std::size_t max_count) {
  const RunContent& content = input.contents[k];
  RowChart chart;
  chart.figure.id = "weights" + std::to_string(k);
  chart.figure.title = input.runs.size() > 1 ? "Largest weights: " + input.runs[k].label
                                             : std::string("Largest weights");
  chart.figure.description = "The weights of largest magnitude, with their signs.";
  chart.figure.note = std::to_string(content.nonzero_count) + " of " +
                      count_text(content.weight_count, "weight") + " " + content.weight_source +
                      " are not 0.";
  const bool has_units = !content.weights.front().per_unit.empty();
  chart.figure.table.columns = {"name", "weight"};
  if (has_units) chart.figure.table.columns.emplace_back("for one unit of the data");
  chart.x_label = "weight";
  DataTable::Group& table = chart.figure.table.groups.emplace_back();
  for (const NamedWeight& weight : content.weights) {
    if (chart.rows.size() == max_count) break;
    const CurveStyle style = {weight.value < 0 ? std::size_t{1} : std::size_t{0}, 0, 0};
    chart.rows.push_back(
        {weight.name, {{weight.value, unknown, style, {}, number_text(weight.value, 3)}}});
    table.rows.push_back({weight.name, cell_text(weight.value)});
    if (has_units) table.rows.back().push_back(weight.per_unit);
  }
  write_row_chart(out, chart);
}

// Why a run shows no weights.
void write_missing(Markup& out, const ReportInput& input, std::size_t k) {
  out << "<p class=\"note\">No weights";
  if (input.runs.size() > 1) out << " of " << input.runs[k].label;
  out << ": " << input.contents[k].weights_missing << ".</p>\n";
}

}  // namespace

void write_weights(Markup& out, const ReportInput& input, const PageLimits& limits) {
  Markup body;
  Markup missing;
  for (std::size_t k = 0; k < input.contents.size(); ++k) {
    if (!input.contents[k].weights.empty() && limits.weights > 0)
      write_run(body, input, k, limits.weights);
    if (!input.contents[k].weights_missing.empty()) write_missing(missing, input, k);
  }
  if (body.is_empty() && missing.is_empty()) return;
  out << "<section id=\"weights\"><h2>Weights</h2>\n" << missing;
  if (!body.is_empty()) out << "<div class=\"figures\">\n" << body << "</div>";
  out << "</section>\n";
}

}  // namespace sculpt::core
