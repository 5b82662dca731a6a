// products.hpp - the products and sums of dense and sparse vectors that solvers need.
//
// Called by qp/, solver/ and problem/. Every sum runs in an order fixed by the lengths alone, so
// that equal input gives equal bits. Indices must lie below the dense vector's size. All numbers
// are added and multiplied as doubles. Templates: for the views of vector.hpp.
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
// Of a half from y_0 on.
template <class Indices, class Value>
double dot(const InputVectorView<Indices, Value>& x, const double* y);
template <class Indices, class Value>
double dot(const ClassDifferenceView<Indices, Value>& x, const Vector& y) {
  return dot(x.half, y.data() + x.plus) - dot(x.half, y.data() + x.minus);
}
double dot(const SparseVector& x, const SparseVector& y);

// sum |x_j y_j|: what the rounding of <x, y> is measured by (rounding.hpp). Indices of x may
// repeat.
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
// One half after the other: each is as long as an input's features, and its additions overlap.
template <class Indices, class Value>
void axpy(double scale, const ClassDifferenceView<Indices, Value>& x, Vector& y) {
  axpy(scale, x.half, y.data() + x.plus);
  axpy(-scale, x.half, y.data() + x.minus);
}

// One term of a sum: value times the unit vector of `index`.
struct Entry {
  std::int32_t index;  // >= 0
  double value;
};

// out = sum of the entries: values of one index are added in the order they stand in, zeros are
// dropped. Reorders `entries`; radix sort, linear in their number.
void merge_entries(std::vector<Entry>& entries, SparseVector& out);

}  // namespace sculpt::core
