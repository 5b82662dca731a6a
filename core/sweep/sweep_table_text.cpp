// sweep_table_text.cpp - the table for people, and for spreadsheets.

#include <cmath>
#include <functional>
#include <utility>

#include "message_text.hpp"
#include "sweep/sweep_table.hpp"

namespace sculpt::core {
namespace {

// Columns for people and CSV alike: a heading, and the text of a row.
struct Column {
  std::string heading;
  std::function<std::string(const SweepRow&)> text;
};

std::string plain(double value) {
  return number_text(value, 6);
}
std::string brief(double value) {
  return number_text(value, 4);
}
std::string full(double value) {
  return std::isfinite(value) ? exact_number_text(value) : "";
}

std::string with_error(const Estimate& estimate) {
  const std::string mean = brief(estimate.mean);
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
      full,
      {{"primal", [](const SweepRow& row) { return row.primal ? full(row.primal->mean) : ""; }},
       {"primal low", [](const SweepRow& row) { return full(row.primal_low.mean); }}},
      {{"certified", [](const SweepRow& row) { return std::to_string(row.certified); }},
       {"cells", [](const SweepRow& row) { return std::to_string(row.cells.size()); }}});
}

Columns markdown_solver_columns() {
  return solver_columns(
      plain,
      {{"primal",
        [](const SweepRow& row) {
          return row.primal ? plain(row.primal->mean) : "at least " + plain(row.primal_low.mean);
        }}},
      {{"certified", [](const SweepRow& row) {
          return std::to_string(row.certified) + "/" + std::to_string(row.cells.size());
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

using Splits = std::vector<std::pair<std::string, std::vector<Measurement> SweepRow::*>>;

Splits splits() {
  return {{"validation", &SweepRow::validation}, {"test", &SweepRow::test}};
}

Columns csv_columns(const std::vector<SweepRow>& rows) {
  Columns columns = csv_solver_columns();
  for (const auto& [label, split] : splits()) {
    for (const std::string& name : names_in(rows, split)) {
      const auto value = [split = split, name](const SweepRow& row) {
        return find(row.*split, name);
      };
      columns.push_back({label + " " + name, [value](const SweepRow& row) {
                           const Measurement* const one = value(row);
                           return one != nullptr ? full(one->value.mean) : "";
                         }});
      columns.push_back({label + " " + name + " standard error", [value](const SweepRow& row) {
                           const Measurement* const one = value(row);
                           return one != nullptr && one->value.standard_error
                                      ? full(*one->value.standard_error)
                                      : "";
                         }});
    }
  }
  return columns;
}

Columns markdown_columns(const std::vector<SweepRow>& rows) {
  Columns columns = markdown_solver_columns();
  for (const auto& [label, split] : splits()) {
    for (const std::string& name : names_in(rows, split)) {
      columns.push_back({label + " " + name, [split = split, name](const SweepRow& row) {
                           const Measurement* const one = find(row.*split, name);
                           return one != nullptr ? with_error(one->value) : "";
                         }});
    }
  }
  return columns;
}

std::string markdown_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += "| " + markdown_text(word) + " ";
  return line + "|\n";
}

// Of a row with cells that failed: how many, where others say why they ended.
std::string text_of(const Column& column, const SweepRow& row) {
  if (row.failed.empty()) return column.text(row);
  if (column.heading != stop_heading) return "";
  return std::to_string(row.failed.size()) + " of " + std::to_string(row.cells.size()) + " failed";
}

}  // namespace

std::string SweepTable::csv() const {
  const Columns columns = csv_columns(rows_);
  std::string text;
  for (const GridKey& key : grid_.keys()) text += csv_text(key.name) + ",";
  for (const Column& column : columns) text += csv_text(column.heading) + ",";
  text += "failed\n";
  for (std::size_t point = 0; point < rows_.size(); ++point) {
    const SweepRow& row = rows_[point];
    for (const GridKey& key : grid_.keys()) text += csv_text(grid_.value(point, key.name)) + ",";
    for (const Column& column : columns) {
      text += csv_text(text_of(column, row)) + ",";
    }
    text += std::to_string(row.failed.size()) + "\n";
  }
  return text;
}

std::string SweepTable::markdown() const {
  const Columns columns = markdown_columns(rows_);
  std::string fixed;
  std::vector<std::string> heading;
  for (const GridKey& key : grid_.keys()) {
    if (key.values.size() > 1) heading.push_back(key.name);
    if (key.values.size() == 1) fixed += "- " + key.name + " = " + printable(key.values[0]) + "\n";
  }
  for (const Column& column : columns) heading.push_back(column.heading);
  std::string text = fixed.empty() ? "" : fixed + "\n";
  text += markdown_line(heading) + markdown_line(std::vector<std::string>(heading.size(), "---"));
  std::string failures;
  for (std::size_t point = 0; point < rows_.size(); ++point) {
    const SweepRow& row = rows_[point];
    std::vector<std::string> line;
    for (const GridKey& key : grid_.keys()) {
      if (key.values.size() > 1) line.push_back(grid_.value(point, key.name));
    }
    for (const Column& column : columns) {
      line.push_back(text_of(column, row));
    }
    text += markdown_line(line);
    for (const std::size_t k : row.failed) {
      failures += "- " + plan_.cells[k].name + " (" + joined(grid_.sets(point), ", ") + "): exit " +
                  std::to_string(records_[k].exit) + ": " + printable(records_[k].reason) + "\n";
    }
  }
  return failures.empty() ? text : text + "\nfailed:\n" + failures;
}

}  // namespace sculpt::core
