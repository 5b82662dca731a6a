// plane_products.hpp - products and sums of consecutive planes.
//
// Used by WorkingSet, ActiveFace and InteriorPoint in their loops over planes. What neighbors share
// is computed once. Class differences of one input have the input vector (PlaneVector::share_input)
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
    const bool has_same_input = last_ != nullptr && a.shares_input(*last_);
    const double plus = product_at(a, a.plus(), has_same_input);
    const double minus = product_at(a, a.minus(), has_same_input);
    last_ = &a;
    plus_ = plus;
    minus_ = minus;
    return plus - minus;
  }

 private:
  double product_at(const PlaneVector& a, std::int32_t offset, bool has_same_input) const {
    if (has_same_input && offset == last_->plus()) return plus_;
    if (has_same_input && offset == last_->minus()) return minus_;
    return a.input_dot(x_.data() + offset);
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
    const bool has_same_input = last_ != nullptr && a.shares_input(*last_);
    double plus = scale;
    double minus = -scale;
    if (last_ != nullptr) {
      move_pending(last_->plus(), plus_, has_same_input, a, plus, minus);
      move_pending(last_->minus(), minus_, has_same_input, a, plus, minus);
    }
    last_ = &a;
    plus_ = plus;
    minus_ = minus;
  }

  void finish() {
    if (last_ == nullptr) return;
    last_->add_input_to(plus_, x_.data() + last_->plus());
    last_->add_input_to(minus_, x_.data() + last_->minus());
    last_ = nullptr;
  }

 private:
  // Moves what is still to be added at an offset of the last plane: to the same offset of `a`, or
  // to x.
  void move_pending(std::int32_t offset, double scale, bool has_same_input, const PlaneVector& a,
                    double& plus, double& minus) {
    if (has_same_input && offset == a.plus()) {
      plus += scale;
    } else if (has_same_input && offset == a.minus()) {
      minus += scale;
    } else {
      last_->add_input_to(scale, x_.data() + offset);
    }
  }

  Vector& x_;
  const PlaneVector* last_ = nullptr;  // the last class difference
  double plus_ = 0;  // factors of its input vector that are still to be added, at its two offsets
  double minus_ = 0;
};

}  // namespace sculpt::core
