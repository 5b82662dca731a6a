// bit_rows.hpp - rows of 0 and 1 as bits. Their sums of products, and of minima, count the common
// bits.
//
// Counts are whole numbers, so a double has them exactly: the sums have the same bits as those of
// the other forms (row_sums.hpp). Called by row_sums.cpp.
#pragma once

#include <cstdint>
#include <sculpt/cpp/site_atoms.hpp>
#include <span>
#include <vector>

namespace kernel {

using sculpt::SiteRow;

// True if all values are 1. Zeros may be left out.
bool is_binary(const SiteRow& row);

class BitRows {
 public:
  BitRows() = default;
  // Requires binary rows.
  BitRows(std::span<const SiteRow> rows, std::int64_t feature_count);

  // True if bits of these rows take less time than visits of their common features.
  static bool is_faster(std::span<const SiteRow> rows, std::int64_t feature_count);

  // out[range] = the number of common features of a binary atom with these rows. `bits`: memory.
  void count_common(const SiteRow& atom, sculpt::Range range, double* out,
                    std::vector<std::uint64_t>& bits) const;

 private:
  std::size_t rows_ = 0;
  std::size_t words_ = 0;            // of a row
  std::vector<std::uint64_t> bits_;  // [words][rows]
};

}  // namespace kernel
