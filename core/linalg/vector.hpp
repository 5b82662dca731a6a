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

template <class Index, class Value>
struct Sparse {
  std::vector<Index> index;  // increasing
  std::vector<Value> value;  // same length
};

using SparseVector = Sparse<std::int32_t, double>;
// The same numbers in two thirds of the memory, where they fit.
using FloatSparseVector = Sparse<std::int32_t, float>;

// Multiples of one number: entry k is unit * value[k]. A quarter of the memory where the indices
// are short, less than half elsewhere.
template <class Index>
struct SparseMultiples {
  std::vector<Index> index;        // increasing
  std::vector<std::int8_t> value;  // same length
  double unit = 1;
};

}  // namespace sculpt::core
