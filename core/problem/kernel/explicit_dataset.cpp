#include "problem/kernel/explicit_dataset.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/memory/free_memory.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// Rows that all threads compute together, and that one of them computes at a time.
constexpr std::int64_t rows_of_a_step = 2048;
constexpr std::int64_t rows_of_a_task = 16;

constexpr double bytes_per_entry = sizeof(std::int32_t) + sizeof(double);

// Refuses rows that will not fit: `entries` of them are there, for `done` of `count` rows.
void require_memory(std::size_t entries, std::int64_t done, std::int64_t count) {
  const double still_to_come =
      static_cast<double>(entries) / static_cast<double>(done) * static_cast<double>(count - done);
  const double needed = bytes_per_entry * still_to_come;
  if (needed <= static_cast<double>(free_memory_for_this_process())) return;
  throw Failure(Exit::memory,
                "the explicit rows of the kernel need about " +
                    number_text(std::ceil(needed / 1e6)) +
                    " MB more, which are not free; leave out \"explicit\", or lower the degree");
}

}  // namespace

ExplicitDataset::ExplicitDataset(const Dataset& dataset, std::unique_ptr<ExplicitMap> map,
                                 Workers& workers, Services& services, const std::string& remedy)
    : RowDataset(dataset), map_(std::move(map)) {
  row_from_.push_back(0);
  std::vector<SparseVector> rows(static_cast<std::size_t>(std::min(rows_of_a_step, atom_count())));
  for (std::int64_t begin = 0; begin < atom_count(); begin += rows_of_a_step) {
    services.throw_if_cancelled();
    const std::int64_t count = std::min(rows_of_a_step, atom_count() - begin);
    workers.run_ranges(count, rows_of_a_task,
                       [&](std::int64_t first, std::int64_t last, int worker) {
                         for (std::int64_t k = first; k < last; ++k) {
                           map_->row(worker, begin + k, rows[static_cast<std::size_t>(k)]);
                         }
                       });
    for (std::int64_t k = 0; k < count; ++k) {
      const SparseVector& row = rows[static_cast<std::size_t>(k)];
      for (const double value : row.value) {
        if (std::abs(value) <= max_feature_magnitude) continue;
        refuse_magnitude(dataset, example_of(begin + k), std::abs(value),
                         "a column of the explicit row", remedy);
      }
      column_.insert(column_.end(), row.index.begin(), row.index.end());
      value_.insert(value_.end(), row.value.begin(), row.value.end());
      row_from_.push_back(std::ssize(column_));
    }
    require_memory(column_.size(), begin + count, atom_count());
  }
}

}  // namespace sculpt::core
