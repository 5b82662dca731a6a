#include "command/data/data_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text/message_text.hpp"
#include "problem/cache/cached_columns.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {

namespace {

// The warnings need at least this many columns, and this many times the columns that are needed.
// Hashed words leave unused columns on purpose, so their limit is larger.
constexpr std::int64_t min_wide_columns = 100000;
constexpr std::int64_t min_sparse_columns = 10000000;
constexpr std::int64_t min_unused_ratio = 1000;

}  // namespace

DataColumns columns_of_data(Problem& problem) {
  const bool are_all = problem.training().size() == problem.dataset().split("train").size();
  if (problem.cache_file() != nullptr && are_all) return columns_in(*problem.cache_file());
  return columns_of(problem.dataset().component(), problem.training(), problem.services());
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
