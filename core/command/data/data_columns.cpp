#include "command/data/data_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {

namespace {

// With more columns than this they are words or similar, and the magnitudes would need 100 MB.
constexpr std::int64_t max_measured_columns = std::int64_t{1} << 22;

// The warnings need at least this many columns, and this many times the columns that are needed.
// Hashed words leave unused columns on purpose, so their limit is larger.
constexpr std::int64_t min_wide_columns = 100000;
constexpr std::int64_t min_sparse_columns = 10000000;
constexpr std::int64_t min_unused_ratio = 1000;

// Turns sums into means. Keeps only the columns with entries.
void compute_means(std::vector<ColumnMagnitude>& magnitudes) {
  for (std::size_t column = 0; column < magnitudes.size(); ++column) {
    ColumnMagnitude& magnitude = magnitudes[column];
    magnitude.column = static_cast<std::int64_t>(column);
    magnitude.mean = std::min(magnitude.mean, std::numeric_limits<double>::max()) /
                     static_cast<double>(magnitude.entries);
  }
  std::erase_if(magnitudes,
                [](const ColumnMagnitude& magnitude) { return magnitude.entries == 0; });
}

}  // namespace

DataColumns columns_of_data(Problem& problem) {
  DataColumns columns;
  const DatasetRows rows(problem.dataset().component());
  if (!rows.is_offered()) return columns;
  columns.count = std::max<std::int64_t>(0, rows.column_count());
  std::vector<bool> is_used(static_cast<std::size_t>(columns.count));
  if (columns.count <= max_measured_columns) columns.magnitudes.resize(is_used.size());
  for (std::int64_t k = 0; k < problem.training().size(); ++k) {
    problem.services().throw_if_cancelled();
    const sculpt_sites sites = rows.sites(problem.training()[k]);
    columns.rows += sites.site_count;
    for (std::int64_t j = sites.row_from[0]; j < sites.row_from[sites.site_count]; ++j) {
      const std::int64_t column = sites.index[j];
      const double magnitude = std::abs(sites.value[j]);
      // Other code refuses invalid numbers and columns.
      if (column < 0 || column >= columns.count) continue;
      if (!(magnitude > 0) || std::isinf(magnitude)) continue;
      const auto position = static_cast<std::size_t>(column);
      if (!columns.magnitudes.empty()) {
        columns.magnitudes[position].mean += magnitude;  // the sum until compute_means()
        ++columns.magnitudes[position].entries;
      }
      if (is_used[position]) continue;
      is_used[position] = true;
      ++columns.in_use;
      if (columns.in_use == 1 || column > columns.largest) {
        columns.second_largest = columns.in_use == 1 ? -1 : columns.largest;
        columns.largest = column;
      } else {
        columns.second_largest = std::max(columns.second_largest, column);
      }
    }
  }
  compute_means(columns.magnitudes);
  return columns;
}

std::string sizes_text(Problem& problem) {
  const DatasetRows rows(problem.dataset().component());
  if (!rows.is_offered()) return "";
  const sculpt_sites_shape& shape = rows.shape();
  const std::int64_t sets = shape.variable_count;
  return (sets > 0 ? count_text(sets, "label") + " on or off"
                   : count_text(shape.state_count, "label")) +
         ", " + count_text(rows.column_count(), "input");
}

std::string width_warning(Problem& problem, const DataColumns& columns) {
  const bool is_far =
      columns.count >= min_wide_columns &&
      columns.count / min_unused_ratio > std::max<std::int64_t>(0, columns.second_largest);
  const bool has_unused_columns =
      columns.count >= min_sparse_columns && columns.count / min_unused_ratio > columns.in_use;
  if (!is_far && !has_unused_columns) return "";
  const std::string widest = problem.dataset().widest_row();
  return problem.dataset().component().name() + ": " +
         (widest.empty() ? ""
                         : widest + (is_far ? " is far above all others: " : " is the largest: ")) +
         "the rows have entries in " + std::to_string(columns.in_use) + " of " +
         std::to_string(columns.count) +
         " columns, and the weights of all columns take memory and time; correct the index if it "
         "is a mistake, else number the features without gaps";
}

}  // namespace sculpt::core
