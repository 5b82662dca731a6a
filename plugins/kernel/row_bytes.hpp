// row_bytes.hpp - a sparse row as bytes of a model, and back.
//
//   byte 0       the form: 0 sparse, 1 dense; + 2 if the values are floats
//   sparse       int32 index of each value, then the values
//   dense        the values from feature 0 on
// Zeros are left out of sparse rows. The smaller form is written, floats if they are exact. All
// numbers are little-endian. Called by row_kernel.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <sculpt/cpp/site_atoms.hpp>
#include <sculpt/sculpt.hpp>
#include <string_view>
#include <vector>

namespace kernel {

// A row with memory of its own.
struct OwnRow {
  std::vector<std::int32_t> index;
  std::vector<double> value;

  sculpt::SiteRow view() const { return {index, value}; }
};

void write_row(const sculpt::SiteRow& row, sculpt::ByteOutput& out);
// Returns nothing if the bytes are no row of finite numbers.
std::optional<OwnRow> read_row(std::string_view bytes);

}  // namespace kernel
