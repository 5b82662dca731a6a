#include "kind_order.hpp"

namespace ranking {

double KindOrder::maximize(const sculpt::RankedRows& better, const sculpt::RankedRows& worse,
                           const TwoKindLoss& loss, const TwoKinds& kinds, double loss_weight,
                           const sculpt::Host& host) {
  const std::int64_t P = better.count();
  const std::int64_t N = worse.count();
  const auto width = static_cast<std::size_t>(N) + 1;
  const double unit = 1 / (2 * static_cast<double>(P) * static_cast<double>(N));
  best_.assign(width, 0.0);
  gain_.resize(width);
  begins_.assign(static_cast<std::size_t>(P) * width, false);
  for (std::int64_t t = 0; t < P; ++t) {
    host.throw_if_cancelled();
    loss.gains(kinds, t + 1, gain_);
    const std::size_t row = static_cast<std::size_t>(t) * width;
    for (std::size_t b = 0; b < width; ++b) {
      const auto ahead = static_cast<std::int64_t>(b);
      const double score = unit * (static_cast<double>(N - 2 * ahead) * better.score(t) +
                                   2 * worse.sum(ahead) - worse.sum(N));
      const double value = best_[b] + score - loss_weight * gain_[b];
      begins_[row + b] = b == 0 || value > best_[b - 1];
      best_[b] = begins_[row + b] ? value : best_[b - 1];
    }
  }
  ahead_.resize(static_cast<std::size_t>(P));
  std::size_t b = width - 1;
  for (auto t = static_cast<std::size_t>(P); t-- > 0;) {
    while (!begins_[t * width + b]) --b;
    ahead_[t] = static_cast<std::int64_t>(b);
  }
  return best_.back() + loss_weight * (1 - loss.constant(kinds));
}

std::vector<std::int64_t> KindOrder::bottom_up(const sculpt::RankedRows& better,
                                               const sculpt::RankedRows& worse,
                                               std::span<const std::int32_t> grades) const {
  std::vector<std::int64_t> order;
  std::size_t run = 0;  // where it begins
  const auto end_run = [&] {
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(run), order.end(),
                     [&](std::int64_t i, std::int64_t j) {
                       return grades[static_cast<std::size_t>(i)] <
                              grades[static_cast<std::size_t>(j)];
                     });
    run = order.size();
  };
  std::int64_t left = worse.count();
  const auto take_worse = [&](std::int64_t ahead) {
    if (left == ahead) return;
    end_run();
    while (left > ahead) order.push_back(worse.row(--left));
    end_run();
  };
  for (std::int64_t t = better.count(); t-- > 0;) {
    take_worse(ahead_[static_cast<std::size_t>(t)]);
    order.push_back(better.row(t));
  }
  take_worse(0);
  end_run();
  return order;
}

}  // namespace ranking
