#include "qp/plane_vector.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "linalg/products.hpp"
#include "linalg/sparse_state.hpp"

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

void save_form(const Vector& a, StateWriter& out) {
  out.put_array(a);
}
template <class SparseForm>
void save_form(const SparseForm& a, StateWriter& out) {
  save_sparse(a, out);
}
template <class Index>
void save_form(const SparseMultiples<Index>& a, StateWriter& out) {
  out.put(a.unit);
  save_sparse(a, out);
}

void load_form(StateReader& in, std::size_t dimension, Vector& a) {
  in.get_array(a);
  in.require(a.size() == dimension, "a plane of another dimension");
  in.require(std::all_of(a.begin(), a.end(), [](double value) { return std::isfinite(value); }),
             "a vector that is not finite");
}
template <class SparseForm>
void load_form(StateReader& in, std::size_t dimension, SparseForm& a) {
  load_sparse(in, dimension, a);
}
template <class Index>
void load_form(StateReader& in, std::size_t dimension, SparseMultiples<Index>& a) {
  a.unit = in.get<double>();
  in.require(std::isfinite(a.unit), "a vector that is not finite");
  load_sparse(in, dimension, a);
}

// Sets `a` to the form of that number in the list of its variant.
template <std::size_t Number = 0, class Forms>
void choose_form(StateReader& in, std::size_t number, Forms& a) {
  if constexpr (Number < std::variant_size_v<Forms>) {
    if (number == Number) {
      a.template emplace<Number>();
    } else {
      choose_form<Number + 1>(in, number, a);
    }
  } else {
    in.refuse("a plane of a form that is not known");
  }
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

void PlaneVector::save(StateWriter& out) const {
  out.put(static_cast<std::uint8_t>(a_.index()));
  std::visit([&out](const auto& a) { save_form(a, out); }, a_);
}

PlaneVector PlaneVector::load(StateReader& in, std::size_t dimension) {
  PlaneVector made{SparseVector{}};
  choose_form(in, in.get<std::uint8_t>(), made.a_);
  std::visit([&](auto& a) { load_form(in, dimension, a); }, made.a_);
  return made;
}

std::size_t PlaneVector::entry_count() const {
  return std::visit([](const auto& a) { return values(a).size(); }, a_);
}

std::size_t PlaneVector::bytes() const {
  return std::visit([](const auto& a) { return values(a).size() * bytes_of_entry(a); }, a_);
}

}  // namespace sculpt::core
