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

// The value of which all others are small whole multiples, to the last bit; 0 when there is none.
double unit_of(const SparseVector& a) {
  double unit = std::numeric_limits<double>::infinity();
  for (const double value : a.value) unit = std::min(unit, std::abs(value));
  const auto is_multiple = [unit](double value) {
    const double count = std::round(value / unit);
    return std::abs(count) <= std::numeric_limits<std::int8_t>::max() && unit * count == value;
  };
  return std::all_of(a.value.begin(), a.value.end(), is_multiple) ? unit : 0;
}

template <class Index>
SparseMultiples<Index> packed(const SparseVector& a, double unit) {
  SparseMultiples<Index> out;
  out.unit = unit;
  out.index.assign(a.index.begin(), a.index.end());
  out.value.resize(a.value.size());
  std::transform(a.value.begin(), a.value.end(), out.value.begin(), [unit](double value) {
    return static_cast<std::int8_t>(std::round(value / unit));
  });
  return out;
}

FloatSparseVector as_floats(const SparseVector& a) {
  FloatSparseVector out;
  out.index = a.index;
  out.value.resize(a.value.size());
  std::transform(a.value.begin(), a.value.end(), out.value.begin(),
                 [](double value) { return static_cast<float>(value); });
  return out;
}

// What differs between the forms, but for dot and axpy.
void clear(Vector& scattered, const Vector&) {
  std::fill(scattered.begin(), scattered.end(), 0.0);
}
template <class SparseForm>
void clear(Vector& scattered, const SparseForm& a) {
  for (const auto index : a.index) scattered[static_cast<std::size_t>(index)] = 0;
}

const Vector& values(const Vector& a) {
  return a;
}
template <class SparseForm>
const auto& values(const SparseForm& a) {
  return a.value;
}

std::size_t bytes_of_entry(const Vector&) {
  return sizeof(double);
}
template <class SparseForm>
std::size_t bytes_of_entry(const SparseForm& a) {
  return sizeof(a.index[0]) + sizeof(a.value[0]);
}

}  // namespace

PlaneVector::PlaneVector(SparseVector a) {
  const bool far = !a.index.empty() && a.index.back() > std::numeric_limits<std::uint16_t>::max();
  const double unit = a.index.empty() ? 1 : unit_of(a);
  if (unit > 0) {
    if (far) {
      a_ = packed<std::int32_t>(a, unit);
    } else {
      a_ = packed<std::uint16_t>(a, unit);
    }
  } else if (std::all_of(a.value.begin(), a.value.end(), survives_as_float)) {
    a_ = as_floats(a);
  } else {
    a_ = std::move(a);
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
