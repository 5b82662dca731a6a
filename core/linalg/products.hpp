// products.hpp - products and sums of dense and sparse vectors.
//
// Called by qp/, solver/ and problem/. The order of every sum depends on the lengths only, so equal
// input gives equal bits. Indices must be below the size of the dense vector. All numbers are added
// and multiplied as doubles. The templates are for the views of vector.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"

namespace sculpt::core {

// <x, y>
double dot(std::span<const double> x, const Vector& y);
double dot(const SparseVector& x, const Vector& y);
template <class Index, class Value>
double dot(const SparseView<Index, Value>& x, const Vector& y);
template <class Index>
double dot(const RunsView<Index>& x, const Vector& y);
// The input vector starts at y[0].
template <class Indices, class Value>
double dot(const InputVectorView<Indices, Value>& x, const double* y);
template <class Indices, class Value>
double dot(const ClassDifferenceView<Indices, Value>& x, const Vector& y) {
  return dot(x.input, y.data() + x.plus) - dot(x.input, y.data() + x.minus);
}
double dot(const SparseVector& x, const SparseVector& y);

// sum |x_j y_j|: the rounding of <x, y> is relative to it (rounding.hpp). Indices of x may repeat.
double absolute_dot(const SparseView<std::int32_t, double>& x, std::span<const double> y);
double absolute_dot(const SparseVector& x, std::span<const double> y);

double squared_norm(const Vector& x);
double squared_norm(const SparseVector& x);

// y += scale x
void axpy(double scale, std::span<const double> x, Vector& y);
void axpy(double scale, const SparseVector& x, Vector& y);
template <class Index, class Value>
void axpy(double scale, const SparseView<Index, Value>& x, Vector& y);
template <class Index>
void axpy(double scale, const RunsView<Index>& x, Vector& y);
template <class Indices, class Value>
void axpy(double scale, const InputVectorView<Indices, Value>& x, double* y);
// One input vector after the other: each has distinct indices, so its additions overlap.
template <class Indices, class Value>
void axpy(double scale, const ClassDifferenceView<Indices, Value>& x, Vector& y) {
  axpy(scale, x.input, y.data() + x.plus);
  axpy(-scale, x.input, y.data() + x.minus);
}

// One term of a sum: value times the unit vector of `index`.
struct Entry {
  std::int32_t index;  // >= 0
  double value;
};

// out = sum of the entries. Values of one index are added in their order in `entries`. Zeros are
// dropped. Reorders `entries`. Radix sort, linear in the number of entries.
void merge_entries(std::vector<Entry>& entries, SparseVector& out);

}  // namespace sculpt::core
