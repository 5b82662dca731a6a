// row_blocks.hpp - features that are linear in the rows of the sites, and so work with kernels.
//
// SPDX-License-Identifier: Apache-2.0
//
// Features over sites have
//
//   sculpt::RowBlocks row_blocks() const     where the weights of the rows are
//
// most often by SiteWeights::row_blocks() (site_weights.hpp). The rest of psi, the outputs and the
// factor graph may not depend on the values of rows (ext/row_blocks.h). Used by offered.hpp.
#pragma once

#include "extensions.hpp"

namespace sculpt {

// The weight of column j in block b is first + j * count + b.
struct RowBlocks {
  std::int64_t first = 0;
  std::int64_t count = 1;
};

namespace detail {

struct BlocksOfRows : Extension<kind_sets::features, Methods<method::row_blocks>> {
  template <class T>
  static constexpr sculpt_ext_row_blocks table{[](const void* self, sculpt_row_blocks* out,
                                                  sculpt_error* error) {
    return guarded(error, "row_blocks", [&] {
      const RowBlocks blocks = object_of<T>(self).row_blocks();
      fill_record(out, sculpt_row_blocks{sizeof(sculpt_row_blocks), 0, blocks.first, blocks.count});
    });
  }};
};

}  // namespace detail
}  // namespace sculpt
