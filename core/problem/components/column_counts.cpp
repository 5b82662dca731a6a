#include "problem/components/column_counts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {
namespace {

// With more columns than this they are words or similar, and the magnitudes would need 100 MB.
constexpr std::int64_t max_measured_columns = std::int64_t{1} << 22;

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

DataColumns columns_of(const Component& dataset, const ExampleList& examples, Services& services) {
  DataColumns columns;
  const DatasetRows rows(dataset);
  if (!rows.is_offered()) return columns;
  columns.count = std::max<std::int64_t>(0, rows.column_count());
  std::vector<bool> is_used(static_cast<std::size_t>(columns.count));
  if (columns.count <= max_measured_columns) columns.magnitudes.resize(is_used.size());
  for (std::int64_t k = 0; k < examples.size(); ++k) {
    services.throw_if_cancelled();
    const sculpt_sites sites = rows.sites(examples[k]);
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

}  // namespace sculpt::core
