#include "problem/kernel/pivoted_factor.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace sculpt::core {
namespace {

constexpr std::int64_t positions_at_once = 256;
constexpr std::int64_t rows_per_call = 4;
constexpr std::size_t columns_per_visit = 4;

// Four doubles, at any address.
constexpr std::size_t doubles_at_once = 4;
typedef double FourDoubles __attribute__((vector_size(32)));
[[gnu::always_inline]] inline void load_four(const double* from, FourDoubles& to) {
  std::memcpy(&to, from, sizeof to);
}

// rows[r][t] -= factor[r][0] column[0][t], then the next column, and so on. Every element is a sum
// of its own, so wider instructions give the same bits.
template <std::size_t rows, std::size_t columns>
[[gnu::always_inline]] inline void subtract_each(const double* const* column,
                                                 const double* const* factor, double* const* row,
                                                 std::size_t size) {
  std::size_t t = 0;
  for (; t + doubles_at_once <= size; t += doubles_at_once) {
    FourDoubles values[columns];
    for (std::size_t q = 0; q < columns; ++q) load_four(column[q] + t, values[q]);
    for (std::size_t r = 0; r < rows; ++r) {
      FourDoubles rest;
      load_four(row[r] + t, rest);
      for (std::size_t q = 0; q < columns; ++q) rest -= factor[r][q] * values[q];
      std::memcpy(row[r] + t, &rest, sizeof rest);
    }
  }
  for (; t < size; ++t) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t q = 0; q < columns; ++q) row[r][t] -= factor[r][q] * column[q][t];
    }
  }
}

using Subtract = void (*)(const double* const*, const double* const*, double* const*, std::size_t);

template <std::size_t rows, std::size_t columns>
void subtract_plainly(const double* const* column, const double* const* factor, double* const* row,
                      std::size_t size) {
  subtract_each<rows, columns>(column, factor, row, size);
}

#if defined(__x86_64__)
template <std::size_t rows, std::size_t columns>
[[gnu::target("avx2")]] void subtract_wide(const double* const* column, const double* const* factor,
                                           double* const* row, std::size_t size) {
  subtract_each<rows, columns>(column, factor, row, size);
}
template <std::size_t rows, std::size_t columns>
Subtract subtraction() {
  static const bool has_wide = __builtin_cpu_supports("avx2") != 0;
  return has_wide ? subtract_wide<rows, columns> : subtract_plainly<rows, columns>;
}
#else
template <std::size_t rows, std::size_t columns>
Subtract subtraction() {
  return subtract_plainly<rows, columns>;
}
#endif

// A row, and what each column is multiplied by.
struct Reduced {
  double* row;           // from the first position of a task on
  const double* factor;  // [columns]
};

// Calls the function above for all of these rows and columns.
void subtract_columns(std::span<const double* const> columns, std::span<const Reduced> rows,
                      std::size_t size) {
  const auto call = [&](Subtract subtract, std::size_t q, std::size_t first, std::size_t count) {
    const double* factor[2] = {};
    double* row[2] = {};
    for (std::size_t r = 0; r < count; ++r) {
      factor[r] = rows[first + r].factor + q;
      row[r] = rows[first + r].row;
    }
    subtract(columns.data() + q, factor, row, size);
  };
  std::size_t q = 0;
  for (; q + columns_per_visit <= columns.size(); q += columns_per_visit) {
    std::size_t r = 0;
    for (; r + 2 <= rows.size(); r += 2) call(subtraction<2, columns_per_visit>(), q, r, 2);
    for (; r < rows.size(); ++r) call(subtraction<1, columns_per_visit>(), q, r, 1);
  }
  for (; q < columns.size(); ++q) {
    for (std::size_t r = 0; r < rows.size(); ++r) call(subtraction<1, 1>(), q, r, 1);
  }
}

}  // namespace

PivotedFactor::PivotedFactor(Kernel& kernel, Workers& workers, std::span<const std::int64_t> atoms)
    : kernel_(kernel),
      workers_(workers),
      atoms_(atoms),
      order_(atoms.size()),
      slot_of_position_(atoms.size(), -1) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

void PivotedFactor::look_ahead(std::span<const std::size_t> positions) {
  std::vector<RowAhead> rows;
  for (const std::size_t position : positions) {
    const std::int32_t slot = slot_of_position_[position];
    if (slot >= 0) rows.push_back(std::move(ahead_[static_cast<std::size_t>(slot)]));
  }
  const std::size_t known = rows.size();
  for (const std::size_t position : positions) {
    if (slot_of_position_[position] < 0) rows.push_back({position, Vector(size())});
  }
  std::fill(slot_of_position_.begin(), slot_of_position_.end(), -1);
  ahead_ = std::move(rows);
  for (std::size_t slot = 0; slot < ahead_.size(); ++slot) {
    slot_of_position_[ahead_[slot].position] = static_cast<std::int32_t>(slot);
  }
  const std::span<RowAhead> fresh = std::span(ahead_).subspan(known);
  compute(fresh);
  reduce(fresh, 0);
  reduce(std::span(ahead_).first(known), up_to_date_);
  up_to_date_ = rank();
}

// Sets the rows to those of the kernel.
void PivotedFactor::compute(std::span<RowAhead> rows) {
  workers_.run_ranges(
      std::ssize(rows), rows_per_call, [&](std::int64_t begin, std::int64_t end, int worker) {
        const auto part =
            rows.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
        std::vector<std::int64_t> numbers;
        for (const RowAhead& row : part) numbers.push_back(atoms_[at(row.position)]);
        Vector values(part.size() * size());
        kernel_.rows(worker, numbers, atoms_, values);
        for (std::size_t r = 0; r < part.size(); ++r) {
          const double* const from = values.data() + r * size();
          for (std::size_t t = rank(); t < size(); ++t) part[r].values[t] = from[at(t)];
        }
      });
}

// Subtracts the columns from `first` on from these rows.
void PivotedFactor::reduce(std::span<RowAhead> rows, std::size_t first) {
  const std::size_t columns = rank() - first;
  if (rows.empty() || columns == 0) return;
  Vector factors(rows.size() * columns);
  workers_.run_ranges(std::ssize(rows), 1, [&](std::int64_t row, std::int64_t, int) {
    const auto r = static_cast<std::size_t>(row);
    double* const to = factors.data() + r * columns;
    for (std::size_t q = 0; q < columns; ++q) to[q] = value(rows[r].position, first + q);
  });
  workers_.run_ranges(std::ssize(order_) - std::ssize(columns_), positions_at_once,
                      [&](std::int64_t begin, std::int64_t end, int) {
                        const std::size_t from = rank() + static_cast<std::size_t>(begin);
                        std::vector<const double*> column;
                        for (std::size_t q = first; q < rank(); ++q)
                          column.push_back(&columns_[q][from - q]);
                        std::vector<Reduced> reduced;
                        for (std::size_t r = 0; r < rows.size(); ++r) {
                          reduced.push_back({&rows[r].values[from], factors.data() + r * columns});
                        }
                        subtract_columns(column, reduced, static_cast<std::size_t>(end - begin));
                      });
}

void PivotedFactor::swap_positions(std::size_t a, std::size_t b) {
  if (a == b) return;
  std::swap(order_[a], order_[b]);
  for (std::size_t q = 0; q < rank(); ++q) std::swap(columns_[q][a - q], columns_[q][b - q]);
  for (RowAhead& row : ahead_) std::swap(row.values[a], row.values[b]);
  std::swap(slot_of_position_[a], slot_of_position_[b]);
  for (const std::size_t position : {a, b}) {
    const std::int32_t slot = slot_of_position_[position];
    if (slot >= 0) ahead_[static_cast<std::size_t>(slot)].position = position;
  }
}

std::span<const double> PivotedFactor::add(std::size_t position, double length) {
  const std::size_t m = rank();
  swap_positions(position, m);
  const auto slot = static_cast<std::size_t>(slot_of_position_[m]);
  reduce(std::span(&ahead_[slot], 1), up_to_date_);
  Vector column(ahead_[slot].values.begin() + static_cast<std::ptrdiff_t>(m),
                ahead_[slot].values.end());
  for (double& value : column) value /= length;
  // Forget its row: the last one takes the slot.
  slot_of_position_[m] = -1;
  if (slot + 1 < ahead_.size()) {
    ahead_[slot] = std::move(ahead_.back());
    slot_of_position_[ahead_[slot].position] = static_cast<std::int32_t>(slot);
  }
  ahead_.pop_back();
  return columns_.emplace_back(std::move(column));
}

}  // namespace sculpt::core
