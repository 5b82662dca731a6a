#include "qp/plane_vector.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "linalg/products.hpp"

namespace sculpt::core {
namespace {

bool survives_as_float(double value) {
  return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()) &&
         static_cast<double>(static_cast<float>(value)) == value;
}

template <class Index>
Sparse<Index, float> packed(const SparseVector& a) {
  Sparse<Index, float> out;
  out.index.resize(a.index.size());
  out.value.resize(a.value.size());
  std::transform(a.index.begin(), a.index.end(), out.index.begin(),
                 [](std::int32_t index) { return static_cast<Index>(index); });
  std::transform(a.value.begin(), a.value.end(), out.value.begin(),
                 [](double value) { return static_cast<float>(value); });
  return out;
}

// What differs between the forms, but for dot and axpy.
void clear(Vector& scattered, const Vector&) {
  std::fill(scattered.begin(), scattered.end(), 0.0);
}
template <class Index, class Value>
void clear(Vector& scattered, const Sparse<Index, Value>& a) {
  for (const Index index : a.index) scattered[static_cast<std::size_t>(index)] = 0;
}

const Vector& values(const Vector& a) {
  return a;
}
template <class Index, class Value>
const std::vector<Value>& values(const Sparse<Index, Value>& a) {
  return a.value;
}

std::size_t bytes_of_entry(const Vector&) {
  return sizeof(double);
}
template <class Index, class Value>
std::size_t bytes_of_entry(const Sparse<Index, Value>&) {
  return sizeof(Index) + sizeof(Value);
}

}  // namespace

PlaneVector::PlaneVector(SparseVector a) {
  if (!std::all_of(a.value.begin(), a.value.end(), survives_as_float)) {
    a_ = std::move(a);
  } else if (!a.index.empty() && a.index.back() > std::numeric_limits<std::uint16_t>::max()) {
    a_ = packed<std::int32_t>(a);
  } else {
    a_ = packed<std::uint16_t>(a);
  }
}

double PlaneVector::dot(const Vector& x) const {
  return std::visit([&x](const auto& a) { return core::dot(a, x); }, a_);
}

void PlaneVector::add_to(double scale, Vector& x) const {
  std::visit([&](const auto& a) { axpy(scale, a, x); }, a_);
}

void PlaneVector::scatter(Vector& zeros) const {
  add_to(1, zeros);
}

void PlaneVector::unscatter(Vector& scattered) const {
  std::visit([&scattered](const auto& a) { clear(scattered, a); }, a_);
}

std::size_t PlaneVector::entry_count() const {
  return std::visit([](const auto& a) { return values(a).size(); }, a_);
}

std::size_t PlaneVector::bytes() const {
  return std::visit([](const auto& a) { return values(a).size() * bytes_of_entry(a); }, a_);
}

}  // namespace sculpt::core
