#include "solver/crf/orthant.hpp"

#include "parallel/blocks.hpp"

namespace sculpt::core {

void Orthant::find_slopes(const Vector& w, const Vector& gradient, Vector& out) const {
  const double l1 = regularizer_.l1();
  out.resize(w.size());
  for_each_block(workers_, w.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const double right = gradient[j] + l1;
      const double left = gradient[j] - l1;
      if (w[j] != 0) {
        out[j] = w[j] > 0 ? right : left;
      } else if (right < 0) {
        out[j] = right;
      } else {
        out[j] = left > 0 && !regularizer_.is_bounded(j) ? left : 0.0;
      }
    }
  });
}

void Orthant::align(const Vector& slopes, Vector& direction) const {
  for_each_block(workers_, slopes.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      if (direction[j] * slopes[j] >= 0) direction[j] = 0;
    }
  });
}

void Orthant::move(const Vector& w, const Vector& slopes, const Vector& direction, double step,
                   Vector& out) const {
  const bool has_l1 = regularizer_.l1() > 0;
  out.resize(w.size());
  for_each_block(workers_, w.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const double moved = w[j] + step * direction[j];
      const bool has_side = has_l1 || regularizer_.is_bounded(j);
      const double side = w[j] != 0 ? w[j] : -slopes[j];
      out[j] = has_side && moved * side <= 0 ? 0.0 : moved;
    }
  });
}

}  // namespace sculpt::core
