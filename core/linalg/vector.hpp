// vector.hpp - the dense and sparse vectors of the host.
//
// Used everywhere in core/. Dense vectors are aligned to 64 bytes because plugins read them as
// sculpt_weights. Sparse vectors hold increasing indices and no zeros.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sculpt::core {

using Vector = std::vector<double, boost::alignment::aligned_allocator<double, 64>>;

template <class Index, class Value>
struct Sparse {
  std::vector<Index> index;  // increasing
  std::vector<Value> value;  // same length
  bool operator==(const Sparse&) const = default;
};

using SparseVector = Sparse<std::int32_t, double>;

// The entries of x that are not 0.
inline SparseVector entries_of(std::span<const double> x) {
  SparseVector entries;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (x[j] == 0) continue;
    entries.index.push_back(static_cast<std::int32_t>(j));
    entries.value.push_back(x[j]);
  }
  return entries;
}

// The same for an x that is 0 outside these columns. Requires increasing columns.
inline SparseVector entries_of(std::span<const double> x, std::span<const std::int32_t> columns) {
  SparseVector entries;
  for (const std::int32_t column : columns) {
    const double value = x[static_cast<std::size_t>(column)];
    if (value == 0) continue;
    entries.index.push_back(column);
    entries.value.push_back(value);
  }
  return entries;
}

// A view of a sparse vector.
template <class Index, class Value>
struct SparseView {
  std::span<const Index> index;  // increasing
  const Value* value;            // [index]
};

// A view that groups entries with equal values (runs). It needs no value and no multiplication for
// each entry.
template <class Index>
struct RunsView {
  std::span<const Index> index;   // run after run, increasing within each
  std::span<const double> value;  // [runs]
  const std::uint32_t* end;       // [runs] in `index`; the last is its size
};

// The indices 0, stride, 2 stride, ..., used in place of a span of indices.
class StridedIndices {
 public:
  StridedIndices(std::size_t stride, std::size_t size) : stride_(stride), size_(size) {}
  std::size_t operator[](std::size_t k) const { return k * stride_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t stride_;
  std::size_t size_;
};

// The entries of one input's features, with indices relative to the first. `Indices`:
// StridedIndices, or an increasing span.
template <class Indices, class Value>
struct InputVectorView {
  Indices index;
  const Value* value;  // [index]
};

// The difference of one input's features in two classes: the input vector at `plus`, minus the same
// vector at `minus`.
template <class Indices, class Value>
struct ClassDifferenceView {
  InputVectorView<Indices, Value> input;
  std::size_t plus;
  std::size_t minus;  // differs from plus
};

}  // namespace sculpt::core
