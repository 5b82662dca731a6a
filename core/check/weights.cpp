#include "check/weights.hpp"

#include <algorithm>

namespace sculpt::core {

Vector WeightShelf::take() {
  if (zeros_.empty()) return Vector(static_cast<std::size_t>(dimension_), 0.0);
  Vector w = std::move(zeros_.back());
  zeros_.pop_back();
  return w;
}

void WeightShelf::put_back(Vector w) {
  if (w.empty()) return;  // moved away
  for (const std::int32_t j : support_) w[static_cast<std::size_t>(j)] = 0;
  zeros_.push_back(std::move(w));
}

template <class Value>
Weights WeightSource::fill(Value&& value) const {
  Vector w = shelf_->take();
  for (std::size_t k = 0; k < support().size(); ++k) {
    const auto j = static_cast<std::size_t>(support()[k]);
    w[j] = value(k);
    if (!nonnegative_.empty() && nonnegative_[j] != 0) w[j] = std::max(0.0, w[j]);
  }
  return Weights(std::move(w), shelf_);
}

Weights WeightSource::with(std::span<const double> values) const {
  return fill([&](std::size_t k) { return values[k]; });
}

Weights WeightSource::normal(Random& random) const {
  return fill([&](std::size_t) { return random.normal(); });
}

// Three weights at most, small whole numbers.
Weights WeightSource::some(Random& random) const {
  std::vector<double> values(support().size(), 0.0);
  for (int k = 0; k < 3 && !values.empty(); ++k) {
    values[random.below(values.size())] = static_cast<double>(random.integer(-3, 3));
  }
  return with(values);
}

Weights WeightSource::draw(Random& random, int number) const {
  if (number == 0 || support().empty()) return fill([](std::size_t) { return 0.0; });
  switch (number % 6) {
    case 1:
      return fill([&](std::size_t) { return static_cast<double>(random.integer(-2, 2)); });
    case 2:
      return normal(random);
    case 3: {
      const std::size_t place = random.below(support().size());
      const double value = random.chance(2) ? 1 : -1;
      return fill([&](std::size_t k) { return k == place ? value : 0.0; });
    }
    case 4:
      return fill([&](std::size_t) { return 1e8 * random.normal(); });
    case 5:
      return some(random);
    default:
      return fill([&](std::size_t) { return 0.1 * random.normal(); });
  }
}

}  // namespace sculpt::core
