// plane_products.hpp - products and sums of consecutive planes.
//
// Used by WorkingSet, Face and InteriorPoint in their loops over planes. What neighbors share is
// computed once. Class differences of one input have the input vector (PlaneVector::share_input)
// and the offset of the truth in common. So each plane costs one product with an input vector in
// place of two.
#pragma once

#include <cstdint>

#include "linalg/vector.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

// Smallest task that is worth a thread, in plane entries.
inline constexpr double entries_per_task = 1 << 14;

// <a, x> of one plane after the other. Gives the same bits as PlaneVector::dot(), in any order.
class PlaneProducts {
 public:
  // x and the last plane must outlive this and not change.
  explicit PlaneProducts(const Vector& x) : x_(x) {}

  double operator()(const PlaneVector& a) {
    if (!a.is_class_difference()) return a.dot(x_);
    const bool shares = last_ != nullptr && a.shares_input(*last_);
    const double plus = product_at(a, a.plus(), shares);
    const double minus = product_at(a, a.minus(), shares);
    last_ = &a;
    plus_ = plus;
    minus_ = minus;
    return plus - minus;
  }

 private:
  double product_at(const PlaneVector& a, std::int32_t place, bool shares) const {
    if (shares && place == last_->plus()) return plus_;
    if (shares && place == last_->minus()) return minus_;
    return a.half_dot(x_.data() + place);
  }

  const Vector& x_;
  const PlaneVector* last_ = nullptr;  // the last class difference
  double plus_ = 0;                    // <its input vector, x> at its two offsets
  double minus_ = 0;
};

// x += scale a for one plane after the other. x is complete after finish().
class PlaneSums {
 public:
  // x and the last plane must outlive this.
  explicit PlaneSums(Vector& x) : x_(x) {}

  void add(double scale, const PlaneVector& a) {
    if (!a.is_class_difference()) return a.add_to(scale, x_);
    const bool shares = last_ != nullptr && a.shares_input(*last_);
    double plus = scale;
    double minus = -scale;
    if (last_ != nullptr) {
      hand_over(last_->plus(), plus_, shares, a, plus, minus);
      hand_over(last_->minus(), minus_, shares, a, plus, minus);
    }
    last_ = &a;
    plus_ = plus;
    minus_ = minus;
  }

  void finish() {
    if (last_ == nullptr) return;
    last_->add_half_to(plus_, x_.data() + last_->plus());
    last_->add_half_to(minus_, x_.data() + last_->minus());
    last_ = nullptr;
  }

 private:
  // Moves what is still to be added at an offset of the last plane: to the same offset of `a`, or
  // to x.
  void hand_over(std::int32_t place, double scale, bool shares, const PlaneVector& a, double& plus,
                 double& minus) {
    if (shares && place == a.plus()) {
      plus += scale;
    } else if (shares && place == a.minus()) {
      minus += scale;
    } else {
      last_->add_half_to(scale, x_.data() + place);
    }
  }

  Vector& x_;
  const PlaneVector* last_ = nullptr;  // the last class difference
  double plus_ = 0;  // factors of its input vector that are still to be added, at its two offsets
  double minus_ = 0;
};

}  // namespace sculpt::core
