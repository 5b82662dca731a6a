// vector.hpp - the dense and sparse vectors of the host, and the few products solvers need.
//
// Dense vectors are aligned to 64 bytes because they cross the boundary as sculpt_weights. Sparse
// vectors hold increasing indices and no zeros.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace sculpt::core {

using Vector = std::vector<double, boost::alignment::aligned_allocator<double, 64>>;

template <class Index, class Value>
struct Sparse {
  std::vector<Index> index;  // increasing
  std::vector<Value> value;  // same length
};

using SparseVector = Sparse<std::int32_t, double>;

// A sparse vector that lives elsewhere.
template <class Index, class Value>
struct SparseView {
  std::span<const Index> index;  // increasing
  const Value* value;            // [index]
};

// The same, with entries that share a value side by side: no value to read for each of them, and no
// multiplication.
template <class Index>
struct RunsView {
  std::span<const Index> index;   // run after run, increasing within each
  std::span<const double> value;  // [runs]
  const std::uint32_t* end;       // [runs] in `index`; the last is its size
};

}  // namespace sculpt::core
