// Sweeps: heat maps over two settings, the folds as points, and the table of all points.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "base/text/message_text.hpp"
#include "report/figure/heat_map.hpp"
#include "report/figure/row_chart.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_metrics = 4;
constexpr std::size_t max_maps = 8;         // for settings beyond two
constexpr std::size_t max_rows = 60;        // of the figure with the folds
constexpr std::size_t max_map_values = 40;  // of a key

// A metric that is shown: of a split, or of the run itself.
struct SweepMetric {
  std::string split;
  std::string name;
  bool smaller_is_better = true;

  std::string text() const { return split.empty() ? name : split + " " + name; }
};

bool is_number_of(const Json& json, const std::string& name) {
  constexpr std::array<const char*, 5> counts = {"loss_standard_error", "examples", "unlabelled",
                                                 "log_loss_examples", "no_output"};
  return json.is_number() && std::find(counts.begin(), counts.end(), name) == counts.end();
}

// True if one of the metrics has the same values at all points, as the loss and its own metric.
bool has_equal_values(const SweepRecord& sweep, const std::vector<SweepMetric>& metrics,
                      const std::string& split, const std::string& name) {
  return std::any_of(metrics.begin(), metrics.end(), [&](const SweepMetric& metric) {
    return std::all_of(sweep.points.begin(), sweep.points.end(), [&](const SweepPoint& point) {
      return sweep_value(point, metric.split, metric.name).folds ==
             sweep_value(point, split, name).folds;
    });
  });
}

// The metrics on held-out data if there are any, else on test data, else the gap.
std::vector<SweepMetric> metrics_of(const SweepRecord& sweep) {
  std::vector<SweepMetric> metrics;
  for (const char* split : {"validation", "test"}) {
    for (const SweepPoint& point : sweep.points) {
      for (const SweepCell& cell : point.cells) {
        if (!cell.finished.is_object() || !metrics.empty()) continue;
        const Json values = cell.finished.value(split, Json());
        const Json better = cell.finished.value("better", Json());
        if (!values.is_object()) continue;
        for (const auto& [name, value] : values.items()) {
          const bool is_known = has_equal_values(sweep, metrics, split, name);
          if (!is_number_of(value, name) || metrics.size() == max_metrics || is_known) continue;
          metrics.push_back({split, name, text_at(better, name.c_str()) != "higher"});
        }
      }
    }
    if (!metrics.empty()) return metrics;
  }
  return {{"", "relative_gap", true}};
}

// The point with the best mean; nothing if no point has a value.
std::optional<std::size_t> best_of(const SweepRecord& sweep, const SweepMetric& metric) {
  std::optional<std::size_t> best;
  double best_mean = 0;
  for (std::size_t k = 0; k < sweep.points.size(); ++k) {
    const double mean = sweep_value(sweep.points[k], metric.split, metric.name).mean;
    if (!std::isfinite(mean)) continue;
    const bool is_better = metric.smaller_is_better ? mean < best_mean : mean > best_mean;
    if (best && !is_better) continue;
    best = k;
    best_mean = mean;
  }
  return best;
}

// The different values of a key, in the order of the points.
std::vector<std::string> values_of(const SweepRecord& sweep, std::size_t key) {
  std::vector<std::string> values;
  for (const SweepPoint& point : sweep.points) {
    const std::string& value = point.values[key];
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

std::string short_key(const std::string& key) {
  return key.substr(key.rfind('.') + 1);
}

// "C=10, rescaling=margin"; `left_out`: keys that are not named.
std::string point_text(const SweepRecord& sweep, const SweepPoint& point,
                       const std::vector<std::size_t>& left_out = {}) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < sweep.keys.size(); ++k) {
    if (std::find(left_out.begin(), left_out.end(), k) != left_out.end()) continue;
    words.push_back(short_key(sweep.keys[k]) + "=" + point.values[k]);
  }
  return words.empty() ? sweep.name : joined(words, ", ");
}

// The two keys with the most values, the first across. Fewer if fewer vary.
std::vector<std::size_t> map_keys(const SweepRecord& sweep) {
  std::vector<std::size_t> keys;
  for (std::size_t k = 0; k < sweep.keys.size(); ++k) {
    if (values_of(sweep, k).size() > 1) keys.push_back(k);
  }
  std::stable_sort(keys.begin(), keys.end(), [&](std::size_t a, std::size_t b) {
    return values_of(sweep, a).size() > values_of(sweep, b).size();
  });
  if (keys.size() > 2) keys.resize(2);
  return keys;
}

class SweepMaps {
 public:
  SweepMaps(const SweepRecord& sweep, std::string id)
      : sweep_(sweep), id_(std::move(id)), keys_(map_keys(sweep)) {}

  // One map for each combination of the other keys.
  void write(Markup& out, const SweepMetric& metric, std::size_t number) const {
    if (keys_.empty()) return;
    std::vector<std::string> groups;
    std::map<std::string, std::vector<std::size_t>> points_of;
    for (std::size_t k = 0; k < sweep_.points.size(); ++k) {
      const std::string text = point_text(sweep_, sweep_.points[k], keys_);
      if (points_of[text].empty()) groups.push_back(text);
      points_of[text].push_back(k);
    }
    for (std::size_t g = 0; g < std::min(max_maps, groups.size()); ++g) {
      const std::string id = id_ + "-map" + std::to_string(number) + "-" + std::to_string(g);
      write_map(out, metric, id, groups.size() > 1 ? groups[g] : "", points_of[groups[g]]);
    }
  }

 private:
  void write_map(Markup& out, const SweepMetric& metric, const std::string& id,
                 const std::string& others, const std::vector<std::size_t>& points) const {
    HeatMap map;
    map.figure.id = id;
    map.figure.title = metric.text() + (others.empty() ? "" : " (" + others + ")");
    map.figure.description =
        "The mean of " + metric.text() + " for each pair of settings. A stronger shade is better.";
    map.smaller_is_better = metric.smaller_is_better;
    map.columns = values_of(sweep_, keys_[0]);
    map.column_label = sweep_.keys[keys_[0]];
    map.rows =
        keys_.size() > 1 ? values_of(sweep_, keys_[1]) : std::vector<std::string>{metric.name};
    map.row_label = keys_.size() > 1 ? sweep_.keys[keys_[1]] : metric.name;
    if (map.columns.size() > max_map_values || map.rows.size() > max_map_values) return;
    map.cells.assign(map.rows.size(), std::vector<HeatCell>(map.columns.size()));
    const std::optional<std::size_t> best = best_of(sweep_, metric);
    for (const std::size_t point : points) {
      const auto place = [&](const std::vector<std::string>& values, std::size_t key) {
        const std::string& value = sweep_.points[point].values[key];
        return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) -
                                        values.begin());
      };
      HeatCell& cell =
          map.cells[keys_.size() > 1 ? place(map.rows, keys_[1]) : 0][place(map.columns, keys_[0])];
      cell.value = sweep_value(sweep_.points[point], metric.split, metric.name).mean;
      cell.text = std::isfinite(cell.value) ? number_text(cell.value, 3) : "–";
      cell.is_best = point == best;
    }
    add_table(map);
    map.figure.note = metric.smaller_is_better ? "Lower is better. The best cell has a frame."
                                               : "Higher is better. The best cell has a frame.";
    write_heat_map(out, map);
  }

  static void add_table(HeatMap& map) {
    map.figure.table.columns = {map.row_label + " \\ " + map.column_label};
    map.figure.table.columns.insert(map.figure.table.columns.end(), map.columns.begin(),
                                    map.columns.end());
    DataTable::Group& group = map.figure.table.groups.emplace_back();
    for (std::size_t r = 0; r < map.rows.size(); ++r) {
      std::vector<std::string>& row = group.rows.emplace_back();
      row.push_back(map.rows[r]);
      for (const HeatCell& cell : map.cells[r]) row.push_back(cell_text(cell.value));
    }
  }

  const SweepRecord& sweep_;
  std::string id_;
  std::vector<std::size_t> keys_;
};

void write_folds(Markup& out, const SweepRecord& sweep, const SweepMetric& metric,
                 const std::string& id) {
  RowChart chart;
  chart.has_bars = false;
  chart.figure.id = id + "-folds";
  chart.figure.title = metric.text() + " of each " + (sweep.has_folds ? "fold" : "point");
  chart.figure.description =
      "Small circles are single folds. The large mark is their mean, with one standard error to "
      "both sides.";
  chart.figure.table.columns = {"settings", "mean", "standard error"};
  chart.x_label = metric.text();
  std::size_t folds = 0;
  for (const SweepPoint& point : sweep.points) {
    folds = std::max(folds, sweep_value(point, metric.split, metric.name).folds.size());
  }
  for (std::size_t k = 0; k < folds && folds > 1; ++k) {
    chart.figure.table.columns.push_back("fold " + std::to_string(k));
  }
  DataTable::Group& table = chart.figure.table.groups.emplace_back();
  const std::optional<std::size_t> best = best_of(sweep, metric);
  for (std::size_t k = 0; k < std::min(max_rows, sweep.points.size()); ++k) {
    const SweepValue value = sweep_value(sweep.points[k], metric.split, metric.name);
    const std::string name = point_text(sweep, sweep.points[k]);
    const bool has_folds = value.folds.size() > 1;
    RowMark mark = {value.mean, value.standard_error, {0, 0, 3}, {}, ""};
    if (has_folds) mark.parts = value.folds;
    chart.rows.push_back({name, {mark}, k == best});
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {name, cell_text(value.mean), cell_text(value.standard_error)};
    for (std::size_t fold = 0; fold < folds && folds > 1; ++fold) {
      row.push_back(fold < value.folds.size() ? cell_text(value.folds[fold]) : "–");
    }
  }
  if (sweep.points.size() > max_rows) {
    chart.figure.note = "The first " + std::to_string(max_rows) + " of " +
                        std::to_string(sweep.points.size()) + " points.";
  }
  write_row_chart(out, chart);
}

// How many cells of a point have ended.
std::string progress_text(const SweepPoint& point) {
  const auto ended = std::count_if(point.cells.begin(), point.cells.end(),
                                   [](const SweepCell& cell) { return cell.finished.is_object(); });
  return std::to_string(ended) + " of " + std::to_string(point.cells.size());
}

void write_points(Markup& out, const SweepRecord& sweep, const std::vector<SweepMetric>& metrics,
                  std::size_t max_points) {
  out << "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Points of the sweep\">"
         "<table><thead><tr>";
  for (const std::string& key : sweep.keys) {
    out << "<th scope=\"col\" class=\"text\">" << key << "</th>";
  }
  out << "<th scope=\"col\">runs that ended</th><th scope=\"col\">largest relative gap</th><th "
         "scope=\"col\">mean seconds</th>";
  for (const SweepMetric& metric : metrics) out << "<th scope=\"col\">" << metric.text() << "</th>";
  out << "</tr></thead><tbody>\n";
  for (std::size_t k = 0; k < std::min(max_points, sweep.points.size()); ++k) {
    const SweepPoint& point = sweep.points[k];
    out << "<tr>";
    for (const std::string& value : point.values) out << "<td class=\"text\">" << value << "</td>";
    const std::vector<double> gaps = sweep_value(point, "", "relative_gap").folds;
    out << "<td>" << progress_text(point) << "</td><td>"
        << (gaps.empty() ? "–" : number_text(*std::max_element(gaps.begin(), gaps.end()), 3))
        << "</td><td>" << number_text(sweep_value(point, "", "seconds").mean, 3) << "</td>";
    for (const SweepMetric& metric : metrics) {
      const SweepValue value = sweep_value(point, metric.split, metric.name);
      out << "<td>" << number_text(value.mean, 4);
      if (std::isfinite(value.standard_error)) out << " ± " << number_text(value.standard_error, 2);
      out << "</td>";
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
}

}  // namespace

void write_sweeps(Markup& out, const ReportInput& input, const PageLimits& limits) {
  for (std::size_t k = 0; k < input.sweeps.size(); ++k) {
    const SweepRecord& sweep = input.sweeps[k];
    const std::string id = "sweep" + std::to_string(k);
    const std::vector<SweepMetric> metrics = metrics_of(sweep);
    out << "<section id=\"" << id << "\"><h2>Sweep: " << sweep.name << "</h2>\n";
    const std::optional<std::size_t> best = best_of(sweep, metrics.front());
    if (best) {
      out << "<p class=\"meaning\">Of " << count_text(std::ssize(sweep.points), "point") << ", "
          << point_text(sweep, sweep.points[*best]) << " has the best " << metrics.front().text()
          << ", "
          << number_text(
                 sweep_value(sweep.points[*best], metrics.front().split, metrics.front().name).mean,
                 4)
          << ".</p>\n";
    }
    out << "<div class=\"figures\">\n";
    const SweepMaps maps(sweep, id);
    for (std::size_t m = 0; m < metrics.size(); ++m) maps.write(out, metrics[m], m);
    write_folds(out, sweep, metrics.front(), id);
    out << "</div>\n";
    write_points(out, sweep, metrics, limits.cells);
    out << "</section>\n";
  }
}

}  // namespace sculpt::core
