// sparse_state.hpp - reads sparse vectors from a state stream, and checks them.
//
// Called by CompressedVector and QpSolver. An index beyond the dimension would cause a write beyond
// a vector.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

// Writes what load_sparse() reads.
template <class SparseForm>
void save_sparse(const SparseForm& x, StateWriter& out) {
  out.put_array(x.index);
  out.put_array(x.value);
}

// Reads a sparse vector. `SparseForm`: a vector type with `index` and `value`, as Sparse.
template <class SparseForm>
void load_sparse(StateReader& in, std::size_t dimension, SparseForm& x) {
  in.get_array(x.index);
  in.get_array(x.value);
  in.require(x.index.size() == x.value.size(), "a vector with fewer values than indices");
  in.require(
      std::adjacent_find(x.index.begin(), x.index.end(), std::greater_equal<>()) == x.index.end(),
      "indices that do not increase");
  in.require(x.index.empty() || (std::int64_t{x.index.front()} >= 0 &&
                                 static_cast<std::size_t>(x.index.back()) < dimension),
             "an index beyond the weights");
  in.require(std::all_of(x.value.begin(), x.value.end(),
                         [](auto value) { return std::isfinite(static_cast<double>(value)); }),
             "a vector that is not finite");
}

}  // namespace sculpt::core
