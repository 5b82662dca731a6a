// sparse_sum.hpp - sums of sparse vectors, as sparse vectors.
//
// Held by SparseAccumulator, so by each worker that asks for features. Every answer of the oracle
// needs a sum of some hundred entries, which must cost less than the oracle. If the dimension is
// small, entries are added up in a dense vector, and a bitmap returns the touched ones in order. If
// it is large, entries are sorted.
//
// In both cases values of one index are added in the order of the input, and zeros are dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/products.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

class SparseSum {
 public:
  explicit SparseSum(std::int64_t dimension);

  // out = sum of value[k] times the unit vector of index[k]. Requires 0 <= index < dimension.
  void merge(std::span<const std::int32_t> index, const double* value, SparseVector& out);

  // out = scale (x - y)
  void subtract(const SparseVector& x, const SparseVector& y, double scale, SparseVector& out);

 private:
  bool is_dense() const { return !sum_.empty(); }
  void add(std::span<const std::int32_t> index, const double* value, double sign);
  void take(double scale, std::size_t most, SparseVector& out);

  std::vector<double> sum_;  // [dimension] zeros between calls; empty: entries are sorted
  std::vector<std::uint64_t> touched_;        // a bit for each weight; all 0 between calls
  std::vector<std::uint64_t> touched_words_;  // a bit for each word of touched_; likewise
  std::vector<std::int32_t> found_index_;     // scratch memory of take()
  std::vector<double> found_value_;
  std::vector<Entry> entries_;
};

}  // namespace sculpt::core
