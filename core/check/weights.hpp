// weights.hpp - weight vectors for the tests of `sculpt check`.
//
// In turn: zero, whole numbers (many ties), normal, unit vectors, huge, few. Weights that must not
// be negative are not.
#pragma once

#include <sculpt/data.h>

#include <cstdint>
#include <span>
#include <vector>

#include "check/random.hpp"
#include "linalg/vector.hpp"
#include "problem/seed.hpp"

namespace sculpt::core {

// A w as it is lent to components: equal stamps are equal contents.
class Weights {
 public:
  explicit Weights(Vector w) : w_(std::move(w)), stamp_(next_stamp()) {}
  const Vector& vector() const { return w_; }
  sculpt_weights lent() const { return {w_.data(), static_cast<std::int64_t>(w_.size()), stamp_}; }

 private:
  Vector w_;
  std::uint64_t stamp_;
};

class WeightSource {
 public:
  // `support`: the weights that matter; the others stay 0. `nonnegative`: [dimension] or empty.
  WeightSource(std::int64_t dimension, std::vector<std::int32_t> support,
               std::span<const std::uint8_t> nonnegative)
      : dimension_(dimension), support_(std::move(support)), nonnegative_(nonnegative) {}

  std::span<const std::int32_t> support() const { return support_; }

  // The number-th of a series.
  Weights draw(Random& random, int number) const;
  // One of the size of ordinary numbers.
  Weights normal(Random& random) const;
  // The w whose entries on the support are `values`.
  Weights with(std::span<const double> values) const;

 private:
  template <class Value>
  Weights fill(Value&& value) const;
  Weights some(Random& random) const;

  std::int64_t dimension_;
  std::vector<std::int32_t> support_;
  std::span<const std::uint8_t> nonnegative_;
};

}  // namespace sculpt::core
