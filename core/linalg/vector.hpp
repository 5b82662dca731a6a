// vector.hpp - the dense and sparse vectors of the host, and the few products solvers need.
//
// Dense vectors are aligned to 64 bytes because they cross the boundary as sculpt_weights. Sparse
// vectors hold increasing indices and no zeros.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cstdint>
#include <vector>

namespace sculpt::core {

using Vector = std::vector<double, boost::alignment::aligned_allocator<double, 64>>;

struct SparseVector {
  std::vector<std::int32_t> index;  // increasing
  std::vector<double> value;        // same length
};

}  // namespace sculpt::core
