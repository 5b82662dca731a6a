// plane_products.hpp - products and sums of planes, one after the other.
//
// Used by WorkingSet, Face and InteriorPoint in their walks over planes. What neighbours share is
// computed once: planes of one input's classes have a half (PlaneVector::share_input) and the place
// of the truth in common, so that each costs one half in place of two.
#pragma once

#include <cstdint>

#include "linalg/vector.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

// Tasks that are worth waking a thread for, in plane entries.
inline constexpr double entries_per_task = 1 << 14;

// <a, x> of one plane after the other: the same bits as PlaneVector::dot() has, in any order.
class PlaneProducts {
 public:
  // x outlives this and does not change; nor does the plane asked about last.
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
  const PlaneVector* last_ = nullptr;  // the opposed one before
  double plus_ = 0;                    // <its half, x> at its two places
  double minus_ = 0;
};

// x += scale a for one plane after the other; done when finish() was called.
class PlaneSums {
 public:
  // x outlives this, and so does the plane added last.
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
  // What is still to be added at a place of the last plane: to what is to be added there for `a`,
  // or to x.
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
  const PlaneVector* last_ = nullptr;  // the opposed one before
  double plus_ = 0;                    // still to be added of its half at its two places
  double minus_ = 0;
};

}  // namespace sculpt::core
