// running_sum.hpp - a sum of sparse vectors and the mean of all its values, without a pass over the
// dimension at each step.
//
// Held by OnlineRun. Steps t = 1, 2, ... are
//
//   z_t = z_{t-1} + factor_t g_t,   z_0 = 0,   and max(0, .) where w_j >= 0 is demanded.
//
// Only the coordinates of g_t change. With d_t = z_t - z_{t-1} and u = sum t d_t,
//
//   mean = 1/(T+1) sum_{t=0..T} z_t = z_T - u / (T+1)
//
// Source: Daume III, "Practical structured learning techniques", thesis, 2006, figure 2.3.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/file/state_stream.hpp"
#include "linalg/compressed_vector.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

class RunningSum {
 public:
  // `nonnegative`: [dimension] 1 where the sum must stay at or above 0, or empty. Must outlive
  // this.
  RunningSum(std::size_t dimension, std::span<const std::uint8_t> nonnegative)
      : nonnegative_(nonnegative), z_(dimension, 0.0), u_(dimension, 0.0) {}

  // Makes one step. Requires indices below the dimension.
  void add(double factor, const SparseVector& g) {
    const auto t = static_cast<double>(++steps_);
    for (std::size_t k = 0; k < g.index.size(); ++k) {
      const auto j = static_cast<std::size_t>(g.index[k]);
      double step = factor * g.value[k];
      if (!nonnegative_.empty() && nonnegative_[j] != 0) step = std::max(step, -z_[j]);
      z_[j] += step;
      u_[j] += t * step;
    }
  }

  // Makes one step with g = 0.
  void add_zero() { ++steps_; }

  std::int64_t steps() const { return steps_; }  // T
  const Vector& last() const { return z_; }      // [dimension] z_T

  // out = factor * mean
  void mean(double factor, Vector& out) const {
    const double fraction = 1 / static_cast<double>(steps_ + 1);
    out.resize(z_.size());
    for (std::size_t j = 0; j < z_.size(); ++j) out[j] = factor * (z_[j] - fraction * u_[j]);
  }

  void save(StateWriter& out) const {
    out.put(steps_);
    CompressedVector compressed(z_.size());
    for (const Vector* x : {&z_, &u_}) {
      compressed.store(*x);
      compressed.save(out);
    }
  }

  void load(StateReader& in) {
    steps_ = in.get_count();
    CompressedVector compressed(z_.size());
    for (Vector* x : {&z_, &u_}) {
      compressed.load(in);
      compressed.restore(*x);
    }
    for (std::size_t j = 0; j < nonnegative_.size(); ++j) {
      in.require(nonnegative_[j] == 0 || z_[j] >= 0, "a negative weight that must be at least 0");
    }
  }

 private:
  std::span<const std::uint8_t> nonnegative_;
  Vector z_;  // [dimension]
  Vector u_;  // [dimension]
  std::int64_t steps_ = 0;
};

}  // namespace sculpt::core
