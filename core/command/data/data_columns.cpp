#include "command/data/data_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {

namespace {

// With more columns than this they are words or similar, and the scales would need 100 MB.
constexpr std::int64_t max_measured_columns = std::int64_t{1} << 22;

// The warnings need at least this many columns, and this many times the columns that are needed.
// Hashed words leave unused columns on purpose, so their limit is larger.
constexpr std::int64_t wide = 100000;
constexpr std::int64_t wide_with_holes = 10000000;
constexpr std::int64_t times_needed = 1000;

// Turns sums into means. Keeps only the columns with entries.
void finish(std::vector<ColumnScale>& sizes) {
  for (std::size_t column = 0; column < sizes.size(); ++column) {
    ColumnScale& of = sizes[column];
    of.column = static_cast<std::int64_t>(column);
    of.size =
        std::min(of.size, std::numeric_limits<double>::max()) / static_cast<double>(of.entries);
  }
  std::erase_if(sizes, [](const ColumnScale& of) { return of.entries == 0; });
}

}  // namespace

DataColumns columns_of_data(Problem& problem) {
  DataColumns columns;
  const DatasetRows rows(problem.dataset().component());
  if (!rows.offered()) return columns;
  columns.count = std::max<std::int64_t>(0, rows.column_count());
  std::vector<bool> occurs(static_cast<std::size_t>(columns.count));
  if (columns.count <= max_measured_columns) columns.sizes.resize(occurs.size());
  for (std::int64_t k = 0; k < problem.training().size(); ++k) {
    problem.services().throw_if_cancelled();
    const sculpt_sites sites = rows.of(problem.training()[k]);
    columns.rows += sites.site_count;
    for (std::int64_t j = sites.row_from[0]; j < sites.row_from[sites.site_count]; ++j) {
      const std::int64_t column = sites.index[j];
      const double size = std::abs(sites.value[j]);
      // other code refuses invalid numbers and columns
      if (column < 0 || column >= columns.count || !(size > 0) || std::isinf(size)) continue;
      const auto at = static_cast<std::size_t>(column);
      if (!columns.sizes.empty()) {
        columns.sizes[at].size += size;
        ++columns.sizes[at].entries;
      }
      if (occurs[at]) continue;
      occurs[at] = true;
      ++columns.in_use;
      if (columns.in_use == 1 || column > columns.largest) {
        columns.next = columns.in_use == 1 ? -1 : columns.largest;
        columns.largest = column;
      } else {
        columns.next = std::max(columns.next, column);
      }
    }
  }
  finish(columns.sizes);
  return columns;
}

std::string width_warning(Problem& problem, const DataColumns& columns) {
  const bool is_far = columns.count >= wide &&
                      columns.count / times_needed > std::max<std::int64_t>(0, columns.next);
  const bool has_holes =
      columns.count >= wide_with_holes && columns.count / times_needed > columns.in_use;
  if (!is_far && !has_holes) return "";
  const std::string widest = problem.dataset().widest();
  return problem.dataset().component().name() + ": " +
         (widest.empty() ? ""
                         : widest + (is_far ? " is far above all others: " : " is the largest: ")) +
         "the rows have entries in " + std::to_string(columns.in_use) + " of " +
         std::to_string(columns.count) +
         " columns, and all of them have weights, which take memory and time; correct the index if "
         "it is a mistake, else number the features without holes";
}

}  // namespace sculpt::core
