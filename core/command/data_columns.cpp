#include "command/data_columns.hpp"

#include <sculpt/ext/sites.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/buffers.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_sites> {
  static constexpr const char* id = SCULPT_EXT_SITES;
  static constexpr std::size_t functions = 4;
};

namespace {

// Beyond this many columns are words or the like, and sizes would take 64 MB.
constexpr std::int64_t most_sized = std::int64_t{1} << 22;

// Widths that are warned of: so many columns, and so many for each that is needed. Hashed words
// leave holes that are no mistake, so these have to be larger.
constexpr std::int64_t wide = 100000;
constexpr std::int64_t wide_with_holes = 10000000;
constexpr std::int64_t times_needed = 1000;

const sculpt_ext_sites* table_of(const Component& dataset) {
  return dataset.extension<sculpt_ext_sites>();
}

std::int64_t column_count(const Component& dataset, const sculpt_ext_sites& table) {
  sculpt_sites_shape shape = {};
  shape.struct_size = sizeof shape;
  dataset.call("sites.shape", -1,
               [&](sculpt_error* error) { return table.shape(dataset.self(), &shape, error); });
  return shape.feature_count;
}

sculpt_sites sites_of(const Component& dataset, const sculpt_ext_sites& table,
                      std::int64_t example) {
  sculpt_sites sites = {};
  sites.struct_size = sizeof sites;
  dataset.call("sites.sites", example, [&](sculpt_error* error) {
    return table.sites(dataset.self(), example, &sites, error);
  });
  return sites;
}

// Means out of sums, and only the columns that have any.
void finish(std::vector<ColumnSize>& sizes) {
  for (std::size_t column = 0; column < sizes.size(); ++column) {
    ColumnSize& of = sizes[column];
    of.column = static_cast<std::int64_t>(column);
    of.size =
        std::min(of.size, std::numeric_limits<double>::max()) / static_cast<double>(of.entries);
  }
  std::erase_if(sizes, [](const ColumnSize& of) { return of.entries == 0; });
}

}  // namespace

DataColumns columns_of_data(Problem& problem) {
  DataColumns columns;
  const Component& dataset = problem.dataset().component();
  const sculpt_ext_sites* const table = table_of(dataset);
  if (table == nullptr) return columns;
  columns.count = std::max<std::int64_t>(0, column_count(dataset, *table));
  std::vector<bool> occurs(static_cast<std::size_t>(columns.count));
  if (columns.count <= most_sized) columns.sizes.resize(occurs.size());
  for (std::int64_t k = 0; k < problem.training().size(); ++k) {
    problem.services().throw_if_cancelled();
    const sculpt_sites sites = sites_of(dataset, *table, problem.training()[k]);
    columns.rows += sites.site_count;
    for (std::int64_t j = sites.row_from[0]; j < sites.row_from[sites.site_count]; ++j) {
      const std::int64_t column = sites.index[j];
      const double size = std::abs(sites.value[j]);
      // what is no number or lies in no column is for others to refuse
      if (column < 0 || column >= columns.count || !(size > 0) || std::isinf(size)) continue;
      if (size > largest_feature) {
        problem.dataset().refuse_size(problem.training()[k], size,
                                      "column " + column_name(problem, column));
      }
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

std::string column_name(Problem& problem, std::int64_t column) {
  if (column < 0) return "the bias";
  const Component& dataset = problem.dataset().component();
  const sculpt_ext_sites& table = *table_of(dataset);
  ByteBuffer text;
  dataset.call("sites.feature_name", -1, [&](sculpt_error* error) {
    return table.feature_name(dataset.self(), column, text.raw(), error);
  });
  return text.text_of(dataset, -1);
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
