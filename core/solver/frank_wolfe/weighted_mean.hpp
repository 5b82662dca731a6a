// weighted_mean.hpp - the mean of all v so far, with larger weights for later ones.
//
// Held by BlockSteps. With v_k = v_{k-1} + delta_k, v_0 = 0, after T steps
//
//   mean_{k+1} = (1 - rho) mean_k + rho v_{k+1},  rho = 2/(k + 2)
//   mean = 2/(T (T + 1)) sum_k k v_k = v_T - 1/(T (T + 1)) sum_k k (k - 1) delta_k
//
// The last form needs no pass over the dimension at a step.
//
// Source: Lacoste-Julien, Jaggi, Schmidt & Pletscher, ICML 2013, section 5.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/file/state_stream.hpp"
#include "linalg/compressed_vector.hpp"
#include "linalg/vector.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

class WeightedMean {
 public:
  explicit WeightedMean(std::size_t dimension) : u_(dimension, 0.0) {}

  // Begins step T + 1. Calls of add() give what it adds to v.
  void begin_step() { ++steps_; }
  void add(double factor, const PlaneVector& a) {
    const auto k = static_cast<double>(steps_);
    a.add_to(factor * k * (k - 1), u_);
  }

  // v has changed without a step: the mean starts again.
  void restart() {
    std::fill(u_.begin(), u_.end(), 0.0);
    steps_ = 0;
  }

  // Input: v = v_T. Output: v = mean.
  void make_mean(Vector& v) const {
    const auto T = static_cast<double>(steps_);
    for (std::size_t j = 0; j < v.size() && steps_ > 0; ++j) v[j] -= u_[j] / (T * (T + 1));
  }

  void save(StateWriter& out) const {
    out.put(steps_);
    CompressedVector compressed(u_.size());
    compressed.store(u_);
    compressed.save(out);
  }
  void load(StateReader& in) {
    steps_ = in.get_count();
    CompressedVector compressed(u_.size());
    compressed.load(in);
    compressed.restore(u_);
  }

 private:
  Vector u_;  // [dimension] sum of k (k - 1) delta_k
  std::int64_t steps_ = 0;
};

}  // namespace sculpt::core
