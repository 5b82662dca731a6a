#include "command/task/row_faults.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/text/text_parts.hpp"

namespace sculpt::core {
namespace {

// Cells that are separated by this character; empty ones count.
std::vector<std::string> cells_of(const std::string& text, char separator) {
  std::vector<std::string> cells;
  std::istringstream in(text);
  for (std::string cell; std::getline(in, cell, separator);) cells.push_back(cell);
  if (text.ends_with(separator)) cells.emplace_back();
  return cells;
}

bool is_number(const std::string& text) {
  if (text.empty()) return false;
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return *end == '\0' && text.find_first_of("xXpP") == std::string::npos;
}

// "12:0.5"
bool is_entry(const std::string& field) {
  const std::size_t colon = field.find(':');
  return colon != std::string::npos && colon > 0 &&
         field.find_first_not_of("0123456789") == colon && is_number(field.substr(colon + 1));
}

// True if nine of ten lines are rows of as many cells as most, at least `min_cells`.
template <class Split>
bool is_table(const std::vector<DataLine>& lines, std::size_t min_cells, Split split) {
  std::vector<std::size_t> counts;
  for (const DataLine& line : lines) counts.push_back(split(line.text));
  std::vector<std::size_t> sorted = counts;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t usual = sorted[sorted.size() / 2];
  const auto equal = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), usual));
  return usual >= min_cells && equal * 10 >= counts.size() * 9;
}

// The fields of a row of which all but the first one are index:value, without its comment.
std::vector<std::string> row_fields(const std::string& text) {
  std::vector<std::string> fields = words_of(text.substr(0, text.find('#')));
  const bool is_row = !fields.empty() && std::all_of(fields.begin() + 1, fields.end(), is_entry) &&
                      (fields.size() > 1 || is_entry(fields.front()));
  return is_row ? fields : std::vector<std::string>();
}

// A label as the formats of rows have it: a number, several with commas, "-" or "?".
bool is_label(const std::string& field) {
  const std::vector<std::string> labels = cells_of(field, ',');
  return field == "-" || field == "?" || std::all_of(labels.begin(), labels.end(), is_number);
}

}  // namespace

std::string table_kind(const std::vector<DataLine>& lines) {
  constexpr std::size_t min_cells = 3;  // a label may have a comma, and a text a semicolon
  const bool has_entries = std::any_of(lines.begin(), lines.end(), [](const DataLine& line) {
    const std::vector<std::string> fields = words_of(line.text);
    return std::any_of(fields.begin(), fields.end(), is_entry);
  });
  if (lines.empty() || has_entries) return "";
  for (const char separator : {',', ';'}) {
    // Blanks between words are text, not cells.
    const auto count_cells = [&](const std::string& text) {
      const std::vector<std::string> cells = cells_of(text, separator);
      const bool has_cells = std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
        return words_of(cell).size() <= 1;
      });
      return has_cells ? cells.size() : std::size_t{0};
    };
    if (is_table(lines, min_cells, count_cells)) return "CSV";
  }
  const auto count_numbers = [](const std::string& text) {
    const std::vector<std::string> fields = words_of(text);
    return std::all_of(fields.begin(), fields.end(), is_number) ? fields.size() : std::size_t{0};
  };
  return is_table(lines, 2, count_numbers) ? "a table of numbers without index:value" : "";
}

std::optional<RowFault> fault_of_rows(const std::vector<DataLine>& lines) {
  std::size_t rows = 0;
  std::optional<RowFault> fault;
  for (const DataLine& line : lines) {
    const std::vector<std::string> fields = row_fields(line.text);
    if (fields.empty()) continue;
    ++rows;
    if (fault) continue;
    if (is_entry(fields.front())) {
      fault = {line.number, "the row begins with " + fields.front() +
                                " and has no label; write a label in front of it"};
    } else if (!is_label(fields.front())) {
      fault = {line.number, "the label '" + fields.front() +
                                "' is not a number; number the labels, such as 1, 2, 3"};
    }
  }
  return 2 * rows > lines.size() ? fault : std::nullopt;
}

}  // namespace sculpt::core
