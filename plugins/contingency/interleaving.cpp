#include "interleaving.hpp"

#include "set_output.hpp"

namespace contingency {

void Interleaving::maximize_roc(const sculpt::RankedRows& positive,
                                const sculpt::RankedRows& negative, double loss_weight) {
  negatives_before_.resize(static_cast<std::size_t>(positive.count()));
  std::int64_t ahead = 0;
  for (std::int64_t i = 0; i < positive.count(); ++i) {
    while (ahead < negative.count() && positive.score(i) - negative.score(ahead) <= loss_weight)
      ++ahead;
    negatives_before_[static_cast<std::size_t>(i)] = ahead;
  }
}

void Interleaving::maximize_average_precision(const sculpt::RankedRows& positive,
                                              const sculpt::RankedRows& negative,
                                              double loss_weight) {
  const std::int64_t P = positive.count();
  const std::int64_t N = negative.count();
  // Returns the gain, times P, of swapping positive row t and negative row j. All negative rows
  // before j are before t already.
  const auto gain = [&](std::int64_t t, std::int64_t j) {
    const auto rank = static_cast<double>(t + 1);
    const double precision_drop =
        rank / (rank + static_cast<double>(j)) - rank / (rank + static_cast<double>(j + 1));
    return loss_weight * precision_drop -
           (positive.score(t) - negative.score(j)) / static_cast<double>(N);
  };
  insert_before_.resize(static_cast<std::size_t>(N));
  struct Part {
    std::int64_t first, end;                  // range of the negative rows
    std::int64_t min_positive, max_positive;  // range of insert_before_, both included
  };
  std::vector<Part> parts{{0, N, 0, P}};
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    if (part.first == part.end) continue;
    const std::int64_t j = part.first + (part.end - part.first) / 2;
    std::int64_t best = part.max_positive;
    double best_gain = 0;
    double sum = 0;
    for (std::int64_t t = part.max_positive; t-- > part.min_positive;) {
      sum += gain(t, j);
      if (sum >= best_gain) best_gain = sum, best = t;
    }
    insert_before_[static_cast<std::size_t>(j)] = best;
    parts.push_back({part.first, j, part.min_positive, best});
    parts.push_back({j + 1, part.end, best, part.max_positive});
  }
  negatives_before_.assign(static_cast<std::size_t>(P), 0);
  std::int64_t ahead = 0;
  for (std::int64_t t = 0; t < P; ++t) {
    while (ahead < N && insert_before_[static_cast<std::size_t>(ahead)] <= t) ++ahead;
    negatives_before_[static_cast<std::size_t>(t)] = ahead;
  }
}

double Interleaving::score(const sculpt::RankedRows& positive,
                           const sculpt::RankedRows& negative) const {
  if (positive.count() == 0 || negative.count() == 0) return 0;
  const auto N = static_cast<double>(negative.count());
  double sum = 0;
  for (std::int64_t i = 0; i < positive.count(); ++i) {
    const std::int64_t ahead = negatives_before_[static_cast<std::size_t>(i)];
    sum += (N - 2 * static_cast<double>(ahead)) * positive.score(i) -
           (negative.sum(negative.count()) - 2 * negative.sum(ahead));
  }
  return sum / (2 * static_cast<double>(positive.count()) * N);
}

double Interleaving::roc_loss(const sculpt::RankedRows& negative) const {
  double wrong_pairs = 0;
  for (const std::int64_t ahead : negatives_before_) wrong_pairs += static_cast<double>(ahead);
  return wrong_pairs /
         (static_cast<double>(negatives_before_.size()) * static_cast<double>(negative.count()));
}

double Interleaving::average_precision_loss() const {
  double sum = 0;
  for (std::size_t t = 0; t < negatives_before_.size(); ++t) {
    const auto rank = static_cast<double>(t + 1);
    sum += rank / (rank + static_cast<double>(negatives_before_[t]));
  }
  return 1 - sum / static_cast<double>(negatives_before_.size());
}

void Interleaving::write(const sculpt::RankedRows& positive, const sculpt::RankedRows& negative,
                         std::span<std::int32_t> y) const {
  std::int32_t number = before_first;
  std::int64_t next_negative = negative.count();
  const auto write_row = [&](std::int64_t row, bool is_first, bool is_positive) {
    if (is_first) number = number_above(number, is_positive);
    y[static_cast<std::size_t>(row)] = number;
  };
  const auto write_negatives = [&](std::int64_t ahead) {
    for (bool first = true; next_negative > ahead; first = false) {
      write_row(negative.row(--next_negative), first, false);
    }
  };
  for (std::int64_t i = positive.count(); i-- > 0;) {
    const std::int64_t ahead = negatives_before_[static_cast<std::size_t>(i)];
    const bool first = i + 1 == positive.count() || next_negative > ahead;
    write_negatives(ahead);
    write_row(positive.row(i), first, true);
  }
  write_negatives(0);
}

}  // namespace contingency
