#include "row_division.hpp"

#include "tab_fields.hpp"

#include <algorithm>

namespace {

// How many rows have the expected number of columns, by one way to divide them.
struct WidthCounts {
  std::size_t unlabelled = 0;
  std::size_t labelled = 0;  // one column more

  std::size_t first = 0;  // columns of the first row

  void add(std::size_t width, std::size_t columns) {
    if (first == 0) first = width;
    unlabelled += width == columns ? 1 : 0;
    labelled += width == columns + 1 ? 1 : 0;
  }
  bool are_uniform(std::size_t rows) const { return unlabelled == rows || labelled == rows; }
  std::size_t most() const { return std::max(unlabelled, labelled); }
};

}  // namespace

void RowDivision::divide(std::string_view row, std::vector<sculpt::Field>& fields) const {
  if (by_tabs) {
    split_at_tabs_and_trim(row, fields);
  } else {
    sculpt::split_fields(row, " \t", fields);
  }
}

RowDivision division_of(const sculpt::LargeVector<TextRow>& rows, std::size_t columns) {
  WidthCounts by_tabs;
  WidthCounts by_blanks;
  std::size_t rows_with_tab = 0;
  std::vector<sculpt::Field> fields;
  for (const TextRow& row : rows) {
    sculpt::split_fields(row.text, " \t", fields);
    by_blanks.add(fields.size(), columns);
    if (row.text.find('\t') == std::string_view::npos) continue;
    ++rows_with_tab;
    split_at_tabs(row.text, fields);
    by_tabs.add(fields.size(), columns);
  }
  const std::size_t count = rows.size();
  // Rows such as "the DT<tab>B-NP" have a blank between columns.
  const bool has_blank_columns =
      count > 1 && by_tabs.unlabelled == count && by_blanks.labelled == count;
  const bool tabs_fit = rows_with_tab == count && by_tabs.are_uniform(count) && !has_blank_columns;
  const bool tabs_fit_better = !by_blanks.are_uniform(count) && 2 * rows_with_tab > count &&
                               by_tabs.most() >= by_blanks.most();
  RowDivision division;
  division.by_tabs = tabs_fit || tabs_fit_better;
  const WidthCounts& counts = division.by_tabs ? by_tabs : by_blanks;
  if (counts.most() == 0) return division;
  const bool is_tie = counts.labelled == counts.unlabelled;
  const bool is_labelled =
      is_tie ? counts.first == columns + 1 : counts.labelled > counts.unlabelled;
  division.columns = columns + (is_labelled ? 1 : 0);
  return division;
}
