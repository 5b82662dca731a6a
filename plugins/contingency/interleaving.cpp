#include "interleaving.hpp"

#include "set_output.hpp"

namespace contingency {

void Interleaving::maximize_roc(const sculpt::RankedRows& positive,
                                const sculpt::RankedRows& others, double loss_weight) {
  before_.resize(static_cast<std::size_t>(positive.count()));
  std::int64_t ahead = 0;
  for (std::int64_t i = 0; i < positive.count(); ++i) {
    while (ahead < others.count() && positive.score(i) - others.score(ahead) <= loss_weight)
      ++ahead;
    before_[static_cast<std::size_t>(i)] = ahead;
  }
}

void Interleaving::maximize_average_precision(const sculpt::RankedRows& positive,
                                              const sculpt::RankedRows& others,
                                              double loss_weight) {
  const std::int64_t P = positive.count();
  const std::int64_t N = others.count();
  // Returns the gain, times P, of swapping positive row t and negative row j. All negative rows
  // before j are before t already.
  const auto gain = [&](std::int64_t t, std::int64_t j) {
    const auto rank = static_cast<double>(t + 1);
    const double behind =
        rank / (rank + static_cast<double>(j)) - rank / (rank + static_cast<double>(j + 1));
    return loss_weight * behind - (positive.score(t) - others.score(j)) / static_cast<double>(N);
  };
  place_.resize(static_cast<std::size_t>(N));
  struct Part {
    std::int64_t first, end;    // range of the negative rows
    std::int64_t lowest, most;  // range of their places, both included
  };
  std::vector<Part> open{{0, N, 0, P}};
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    if (part.first == part.end) continue;
    const std::int64_t j = part.first + (part.end - part.first) / 2;
    std::int64_t best = part.most;
    double best_gain = 0;
    double sum = 0;
    for (std::int64_t t = part.most; t-- > part.lowest;) {
      sum += gain(t, j);
      if (sum >= best_gain) best_gain = sum, best = t;
    }
    place_[static_cast<std::size_t>(j)] = best;
    open.push_back({part.first, j, part.lowest, best});
    open.push_back({j + 1, part.end, best, part.most});
  }
  before_.assign(static_cast<std::size_t>(P), 0);
  std::int64_t ahead = 0;
  for (std::int64_t t = 0; t < P; ++t) {
    while (ahead < N && place_[static_cast<std::size_t>(ahead)] <= t) ++ahead;
    before_[static_cast<std::size_t>(t)] = ahead;
  }
}

double Interleaving::score(const sculpt::RankedRows& positive,
                           const sculpt::RankedRows& others) const {
  if (positive.count() == 0 || others.count() == 0) return 0;
  const auto N = static_cast<double>(others.count());
  double sum = 0;
  for (std::int64_t i = 0; i < positive.count(); ++i) {
    const std::int64_t ahead = before_[static_cast<std::size_t>(i)];
    sum += (N - 2 * static_cast<double>(ahead)) * positive.score(i) -
           (others.sum(others.count()) - 2 * others.sum(ahead));
  }
  return sum / (2 * static_cast<double>(positive.count()) * N);
}

double Interleaving::roc_loss(const sculpt::RankedRows& others) const {
  double turned = 0;
  for (const std::int64_t ahead : before_) turned += static_cast<double>(ahead);
  return turned / (static_cast<double>(before_.size()) * static_cast<double>(others.count()));
}

double Interleaving::average_precision_loss() const {
  double sum = 0;
  for (std::size_t t = 0; t < before_.size(); ++t) {
    const auto rank = static_cast<double>(t + 1);
    sum += rank / (rank + static_cast<double>(before_[t]));
  }
  return 1 - sum / static_cast<double>(before_.size());
}

void Interleaving::write(const sculpt::RankedRows& positive, const sculpt::RankedRows& others,
                         std::span<std::int32_t> y) const {
  std::int32_t number = below_all;
  std::int64_t other = others.count();
  const auto put = [&](std::int64_t row, bool is_first, bool is_positive) {
    if (is_first) number = number_above(number, is_positive);
    y[static_cast<std::size_t>(row)] = number;
  };
  const auto put_others = [&](std::int64_t ahead) {
    for (bool first = true; other > ahead; first = false) put(others.row(--other), first, false);
  };
  for (std::int64_t i = positive.count(); i-- > 0;) {
    const std::int64_t ahead = before_[static_cast<std::size_t>(i)];
    const bool first = i + 1 == positive.count() || other > ahead;
    put_others(ahead);
    put(positive.row(i), first, true);
  }
  put_others(0);
}

}  // namespace contingency
