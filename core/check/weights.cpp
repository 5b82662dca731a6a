#include "check/weights.hpp"

#include <algorithm>
#include <exception>

namespace sculpt::core {

std::unique_ptr<FencedWeights> WeightShelf::take() {
  if (zeros_.empty()) return std::make_unique<FencedWeights>(dimension_);
  std::unique_ptr<FencedWeights> w = std::move(zeros_.back());
  zeros_.pop_back();
  return w;
}

void WeightShelf::put_back(std::unique_ptr<FencedWeights> w) noexcept {
  try {
    const std::span<double> values = w->open();
    for (const std::int32_t j : support_) values[static_cast<std::size_t>(j)] = 0;
    zeros_.push_back(std::move(w));
  } catch (const std::exception&) {  // take() makes another one
  }
}

Weights::Weights(std::span<const double> values)
    : w_(std::make_unique<FencedWeights>(static_cast<std::int64_t>(values.size()))),
      stamp_(next_stamp()) {
  w_->hold(values);
}

template <class Value>
Weights WeightSource::fill(Value&& value) const {
  std::unique_ptr<FencedWeights> fenced = shelf_->take();
  const std::span<double> w = fenced->open();
  for (std::size_t k = 0; k < support().size(); ++k) {
    const auto j = static_cast<std::size_t>(support()[k]);
    w[j] = value(k);
    if (!nonnegative_.empty() && nonnegative_[j] != 0) w[j] = std::max(0.0, w[j]);
  }
  fenced->close();
  return Weights(std::move(fenced), shelf_);
}

Weights WeightSource::with(std::span<const double> values) const {
  return fill([&](std::size_t k) { return values[k]; });
}

std::vector<double> WeightSource::on_support(const Weights& w) const {
  std::vector<double> values;
  for (const std::int32_t j : support()) values.push_back(w.values()[static_cast<std::size_t>(j)]);
  return values;
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
