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

#include "base/random.hpp"
#include "problem/fenced_weights.hpp"
#include "problem/seed.hpp"

namespace sculpt::core {

// Zeros for the next w: writing some millions of them for each would take the time of most tests.
class WeightShelf {
 public:
  WeightShelf(std::int64_t dimension, std::vector<std::int32_t> support)
      : dimension_(dimension), support_(std::move(support)) {}
  std::span<const std::int32_t> support() const { return support_; }
  // Open: to be filled, and closed.
  std::unique_ptr<FencedWeights> take();
  // Takes one back that is zero outside of the support, or lets it go when the system does not let
  // it be written to.
  void put_back(std::unique_ptr<FencedWeights> w) noexcept;

 private:
  std::int64_t dimension_;
  std::vector<std::int32_t> support_;
  std::vector<std::unique_ptr<FencedWeights>> zeros_;
};

// A w as it is lent to components: equal stamps are equal contents. A component that writes to it,
// or reads beyond its end, crashes or computes with NaN (problem/fenced_weights.hpp).
class Weights {
 public:
  // A copy, elsewhere in memory.
  explicit Weights(std::span<const double> values);
  // Of `shelf`, filled and closed.
  Weights(std::unique_ptr<FencedWeights> w, std::shared_ptr<WeightShelf> shelf)
      : w_(std::move(w)), stamp_(next_stamp()), shelf_(std::move(shelf)) {}
  Weights(Weights&&) = default;
  Weights& operator=(Weights&&) = delete;
  ~Weights() {
    if (shelf_ && w_) shelf_->put_back(std::move(w_));
  }
  std::span<const double> values() const { return w_->values(); }
  std::uint64_t stamp() const { return stamp_; }
  sculpt_weights lent() const {
    return {values().data(), static_cast<std::int64_t>(values().size()), stamp_};
  }

 private:
  std::unique_ptr<FencedWeights> w_;  // nullptr: moved away
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
  // The entries of w on the support.
  std::vector<double> on_support(const Weights& w) const;

 private:
  template <class Value>
  Weights fill(Value&& value) const;
  Weights some(Random& random) const;

  std::shared_ptr<WeightShelf> shelf_;
  std::span<const std::uint8_t> nonnegative_;
};

}  // namespace sculpt::core
