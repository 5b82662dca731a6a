// weights.hpp - weight vectors for the tests of `sculpt check`.
//
// In turn: zero, whole numbers (many ties), normal, unit vectors, huge, few. Weights that must not
// be negative are not.
#pragma once

#include <sculpt/data.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "problem/seed.hpp"
#include "random.hpp"

namespace sculpt::core {

// Vectors of zeros for the next w: writing some millions of zeros for each would take the time of
// most tests.
class WeightShelf {
 public:
  WeightShelf(std::int64_t dimension, std::vector<std::int32_t> support)
      : dimension_(dimension), support_(std::move(support)) {}
  std::span<const std::int32_t> support() const { return support_; }
  Vector take();
  // Takes a vector back; it is zero outside of the support.
  void put_back(Vector w);

 private:
  std::int64_t dimension_;
  std::vector<std::int32_t> support_;
  std::vector<Vector> zeros_;
};

// A w as it is lent to components: equal stamps are equal contents.
class Weights {
 public:
  explicit Weights(Vector w, std::shared_ptr<WeightShelf> shelf = nullptr)
      : w_(std::move(w)), stamp_(next_stamp()), shelf_(std::move(shelf)) {}
  Weights(Weights&&) = default;
  Weights& operator=(Weights&&) = delete;
  ~Weights() {
    if (shelf_) shelf_->put_back(std::move(w_));
  }
  const Vector& vector() const { return w_; }
  std::uint64_t stamp() const { return stamp_; }
  sculpt_weights lent() const { return {w_.data(), static_cast<std::int64_t>(w_.size()), stamp_}; }

 private:
  Vector w_;
  std::uint64_t stamp_;
  std::shared_ptr<WeightShelf> shelf_;  // where it goes at the end; nullptr: nowhere
};

class WeightSource {
 public:
  // `support`: the weights that matter; the others stay 0. `nonnegative`: [dimension] or empty.
  WeightSource(std::int64_t dimension, std::vector<std::int32_t> support,
               std::span<const std::uint8_t> nonnegative)
      : shelf_(std::make_shared<WeightShelf>(dimension, std::move(support))),
        nonnegative_(nonnegative) {}

  std::span<const std::int32_t> support() const { return shelf_->support(); }

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

  std::shared_ptr<WeightShelf> shelf_;
  std::span<const std::uint8_t> nonnegative_;
};

}  // namespace sculpt::core
