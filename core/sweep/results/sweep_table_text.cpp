// sweep_table_text.cpp - the table as Markdown and as CSV.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "objective/bound_kind.hpp"
#include "sweep/results/sweep_table.hpp"

namespace sculpt::core {
namespace {

using Column = SweepColumn;

std::string six_digits(double value) {
  return number_text(value, 6);
}
std::string four_digits(double value) {
  return number_text(value, 4);
}
std::string all_digits(double value) {
  return std::isfinite(value) ? exact_number_text(value) : "";
}

std::string estimate_text(const Estimate& estimate) {
  const std::string mean = four_digits(estimate.mean);
  return estimate.standard_error ? mean + " ± " + number_text(*estimate.standard_error, 2) : mean;
}

constexpr const char* stop_heading = "stopped by";

using Columns = std::vector<Column>;

Columns solver_columns(std::string (*number)(double), const Columns& primal,
                       const Columns& certified) {
  Columns columns = {
      {"seconds to gap",
       [=](const SweepRow& row) {
         return row.seconds_to_gap ? number(row.seconds_to_gap->mean) : "";
       }},
      {"passes", [=](const SweepRow& row) { return number(row.passes.mean); }},
      {"oracle calls", [=](const SweepRow& row) { return number(row.oracle_calls.mean); }}};
  columns.insert(columns.end(), primal.begin(), primal.end());
  columns.push_back(
      {"relative gap", [=](const SweepRow& row) { return number(row.relative_gap); }});
  columns.insert(columns.end(), certified.begin(), certified.end());
  columns.push_back({stop_heading, [](const SweepRow& row) { return row.stopped_by; }});
  return columns;
}

Columns csv_solver_columns() {
  return solver_columns(
      all_digits,
      {{"primal",
        [](const SweepRow& row) { return row.primal ? all_digits(row.primal->mean) : ""; }},
       {"primal low", [](const SweepRow& row) { return all_digits(row.primal_low.mean); }}},
      {{"certified", [](const SweepRow& row) { return std::to_string(row.certified_count); }},
       {"cells", [](const SweepRow& row) { return std::to_string(row.cells.size()); }},
       {"target missed", [](const SweepRow& row) { return std::to_string(row.missed_count); }}});
}

Columns markdown_solver_columns() {
  return solver_columns(
      six_digits,
      {{"primal",
        [](const SweepRow& row) {
          if (row.primal_is_approximate) return "about " + six_digits(row.primal->mean);
          const double high = row.primal ? row.primal->mean : infinity;
          const BoundKind kind = bound_kind_of(row.primal_low.mean, high);
          return bound_prefix(kind) + six_digits(row.primal ? high : row.primal_low.mean);
        }}},
      {{"gap proved",  // "certified" in CSV and JSON
        [](const SweepRow& row) {
          return std::to_string(row.certified_count) + "/" + std::to_string(row.cells.size());
        }},
       {"target", [](const SweepRow& row) {
          if (row.target_count == 0) return std::string("-");
          if (row.missed_count == 0) return std::string("reached");
          return "missed " + std::to_string(row.missed_count) + "/" +
                 std::to_string(row.target_count);
        }}});
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string markdown_text(const std::string& text) {
  std::string escaped;
  for (const char c : printable(text)) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

struct SplitTitle {
  std::string label;
  SplitMeasurements SweepRow::*measurements;
};

constexpr std::size_t split_count = 2;
const std::array<SplitTitle, split_count>& splits() {
  static const std::array<SplitTitle, split_count> all = {
      {{"validation", &SweepRow::validation}, {"test", &SweepRow::test}}};
  return all;
}

// Adds a column if some row was audited.
void add_true_gap(const std::vector<SweepRow>& rows, std::string (*number)(double),
                  Columns& columns) {
  const bool has_audit = std::any_of(rows.begin(), rows.end(),
                                     [](const SweepRow& row) { return row.true_gap.has_value(); });
  if (!has_audit) return;
  columns.push_back({"true gap", [number](const SweepRow& row) {
                       const bool is_known = row.true_gap && std::isfinite(*row.true_gap);
                       return is_known ? number(*row.true_gap) : std::string();
                     }});
  const bool all_are_exact = std::all_of(
      rows.begin(), rows.end(), [](const SweepRow& row) { return row.true_gap_kind == "exactly"; });
  if (all_are_exact) return;
  columns.push_back({"true gap known", [](const SweepRow& row) { return row.true_gap_kind; }});
}

// Adds what the primals belong to, if they are not all of one objective.
void add_objectives(const std::vector<SweepRow>& rows, std::string (*number)(double),
                    Columns& columns) {
  const auto differs = [&](const SweepRow& row) {
    return row.failed_cells.empty() && row.minimizes != rows.front().minimizes;
  };
  if (std::any_of(rows.begin(), rows.end(), differs)) {
    columns.push_back({"minimizes", [](const SweepRow& row) { return row.minimizes; }});
  }
  const bool has_hinge = std::any_of(
      rows.begin(), rows.end(), [](const SweepRow& row) { return row.hinge_primal.has_value(); });
  if (!has_hinge) return;
  columns.push_back({"hinge primal", [number](const SweepRow& row) {
                       return row.hinge_primal ? number(row.hinge_primal->mean) : std::string();
                     }});
}

using MeasurementOf = std::function<const Measurement*(const SweepRow&)>;

// Adds a metric and its standard error.
void add_csv_columns(const std::string& heading, const MeasurementOf& measurement_of,
                     Columns& columns) {
  columns.push_back({heading, [measurement_of](const SweepRow& row) {
                       const Measurement* const measurement = measurement_of(row);
                       return measurement != nullptr ? all_digits(measurement->value.mean) : "";
                     }});
  columns.push_back({heading + " standard error", [measurement_of](const SweepRow& row) {
                       const Measurement* const measurement = measurement_of(row);
                       return measurement != nullptr && measurement->value.standard_error
                                  ? all_digits(*measurement->value.standard_error)
                                  : "";
                     }});
}

Columns csv_columns(const std::vector<SweepRow>& rows) {
  Columns columns = csv_solver_columns();
  add_objectives(rows, all_digits, columns);
  add_true_gap(rows, all_digits, columns);
  for (const auto& [label, split] : splits()) {
    const std::vector<std::string> names = metric_names_in(rows, split);
    for (const std::string& name : names) {
      const auto by_training_oracle = [split = split, name](const SweepRow& row) {
        return find_measurement((row.*split).by_training_oracle, name);
      };
      add_csv_columns(label + " " + name, by_training_oracle, columns);
    }
    for (const std::string& oracle : other_oracles_in(rows, split)) {
      for (const std::string& name : names) {
        const auto by_other_oracle = [split = split, oracle, name](const SweepRow& row) {
          return find_measurement(row.*split, oracle, name);
        };
        add_csv_columns(label + " " + name + " by " + oracle, by_other_oracle, columns);
      }
    }
  }
  return columns;
}

Column markdown_column(const std::string& heading, const MeasurementOf& measurement_of) {
  return {heading, [measurement_of](const SweepRow& row) {
            const Measurement* const measurement = measurement_of(row);
            return measurement != nullptr ? estimate_text(measurement->value) : "";
          }};
}

Columns markdown_columns(const std::vector<SweepRow>& rows) {
  Columns columns = markdown_solver_columns();
  add_objectives(rows, six_digits, columns);
  add_true_gap(rows, six_digits, columns);
  for (const auto& [label, split] : splits()) {
    for (const std::string& name : metric_names_in(rows, split)) {
      columns.push_back(
          markdown_column(label + " " + name, [split = split, name](const SweepRow& row) {
            return find_measurement((row.*split).by_training_oracle, name);
          }));
    }
  }
  return columns;
}

// The loss of a split by the oracle of the training, and by each other oracle.
Columns oracle_columns(const std::vector<SweepRow>& rows, const SplitTitle& split) {
  const auto measurements = split.measurements;
  Columns columns = {markdown_column("itself", [measurements](const SweepRow& row) {
    return find_measurement((row.*measurements).by_training_oracle, "loss");
  })};
  for (const std::string& oracle : other_oracles_in(rows, measurements)) {
    columns.push_back(markdown_column(oracle, [measurements, oracle](const SweepRow& row) {
      return find_measurement(row.*measurements, oracle, "loss");
    }));
  }
  return columns;
}

std::string markdown_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += "| " + markdown_text(word) + " ";
  return line + "|\n";
}

// The text of a row. If cells failed or are missing, the column of stop reasons shows how many; the
// others are empty.
std::string column_text(const Column& column, const SweepRow& row) {
  if (row.failed_cells.empty()) return column.text(row);
  if (column.heading != stop_heading) return "";
  const std::size_t failed_count = row.failed_cells.size() - row.missing_count;
  const std::string cells = " of " + std::to_string(row.cells.size());
  std::string text;
  if (failed_count > 0) text = std::to_string(failed_count) + cells + " failed";
  if (row.missing_count == 0) return text;
  if (failed_count > 0) text += ", ";
  return text + std::to_string(row.missing_count) + cells + " missing";
}

}  // namespace

std::string SweepTable::csv() const {
  const Columns columns = csv_columns(rows_);
  std::string text;
  for (const GridKey& key : grid_.keys()) text += csv_text(key.name) + ",";
  for (const Column& column : columns) text += csv_text(column.heading) + ",";
  const bool is_complete = std::all_of(rows_.begin(), rows_.end(),
                                       [](const SweepRow& row) { return row.missing_count == 0; });
  text += is_complete ? "failed\n" : "failed,missing\n";
  for (std::size_t point = 0; point < rows_.size(); ++point) {
    const SweepRow& row = rows_[point];
    for (const GridKey& key : grid_.keys()) text += csv_text(grid_.value(point, key.name)) + ",";
    for (const Column& column : columns) {
      text += csv_text(column_text(column, row)) + ",";
    }
    text += std::to_string(row.failed_cells.size() - row.missing_count);
    text += is_complete ? "\n" : "," + std::to_string(row.missing_count) + "\n";
  }
  return text;
}

// One line for each point; the keys that vary come first.
std::string SweepTable::markdown_rows(const std::vector<SweepColumn>& columns) const {
  std::vector<std::string> heading;
  for (const GridKey& key : grid_.keys()) {
    if (key.values.size() > 1) heading.push_back(key.name);
  }
  for (const Column& column : columns) heading.push_back(column.heading);
  std::string text =
      markdown_line(heading) + markdown_line(std::vector<std::string>(heading.size(), "---"));
  for (std::size_t point = 0; point < rows_.size(); ++point) {
    std::vector<std::string> line;
    for (const GridKey& key : grid_.keys()) {
      if (key.values.size() > 1) line.push_back(grid_.value(point, key.name));
    }
    for (const Column& column : columns) line.push_back(column_text(column, rows_[point]));
    text += markdown_line(line);
  }
  return text;
}

std::string SweepTable::markdown() const {
  std::string text;
  for (const GridKey& key : grid_.keys()) {
    if (key.values.size() == 1) text += "- " + key.name + " = " + printable(key.values[0]) + "\n";
  }
  if (!text.empty()) text += "\n";
  text += markdown_rows(markdown_columns(rows_));
  for (const SplitTitle& split : splits()) {
    if (other_oracles_in(rows_, split.measurements).empty()) continue;
    text += "\n" + split.label + " loss, predicted with\n\n";
    text += markdown_rows(oracle_columns(rows_, split));
  }
  std::string failures;
  std::string missing;
  for (std::size_t point = 0; point < rows_.size(); ++point) {
    for (const std::size_t k : rows_[point].failed_cells) {
      const CellRecord& record = records_[k];
      const std::string exit = "exit " + std::to_string(record.exit_code) + ": ";
      (record.has_ended ? failures : missing) +=
          "- " + plan_.cells[k].name + " (" + joined(grid_.settings(point), ", ") +
          "): " + (record.has_ended ? exit : "") + printable(record.reason) + "\n";
    }
  }
  if (!failures.empty()) text += "\nfailed:\n" + failures;
  if (!missing.empty()) text += "\nmissing:\n" + missing;
  return text;
}

}  // namespace sculpt::core
