#include "ranking_losses.hpp"

namespace ranking {

namespace {

// Returns the ties of documents; those of kind 1 are the positive ones.
std::vector<sculpt::TiedRows> relevant_ones(std::span<const std::int32_t> kind, sculpt::Labels y) {
  return sculpt::count_ties(
      y, [&](std::int64_t document) { return kind[static_cast<std::size_t>(document)] == 1; });
}

}  // namespace

void RankingLoss::bind(const sculpt::Bindings& bindings) {
  LossWithMetrics::bind(bindings);
  const sculpt::Range train = data().input().split("train");
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    if (differ(kinds_.of(data().grades(example)))) return;
  }
  if (train.begin == train.end) return;
  throw sculpt::unsupported_error(
      "no query has both documents of grade " + std::to_string(kinds_.relevant_from()) +
      " or more and others, so that no order is better than another; change relevant_from");
}

double RankingLoss::loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
  if (takes_swapped_pairs()) {
    data().check(example, guess);
  } else {
    data().check_order(example, guess);
  }
  const std::vector<std::int32_t> kind = kinds_.of(truth);
  return differ(kind) ? value(truth, kind, guess) : 0;
}

double PairError::value(sculpt::Labels, std::span<const std::int32_t> kind,
                        sculpt::Labels guess) const {
  return normalize_ ? swapped_pair_share(kind, guess) : swapped_pair_count(kind, guess);
}

double MeanAveragePrecision::value(sculpt::Labels, std::span<const std::int32_t> kind,
                                   sculpt::Labels guess) const {
  return 1 - sculpt::average_precision(relevant_ones(kind, guess));
}

double MeanAveragePrecision::gain(std::int32_t kind, std::int64_t relevant_ahead,
                                  std::int64_t place) const {
  return kind == 1 ? static_cast<double>(relevant_ahead + 1) / static_cast<double>(place) : 0;
}

double MeanAveragePrecision::most(sculpt::Labels truth) const {
  const std::vector<std::int32_t> kind = kinds().of(truth);
  return static_cast<double>(std::count(kind.begin(), kind.end(), 1));
}

double ReciprocalRank::value(sculpt::Labels, std::span<const std::int32_t> kind,
                             sculpt::Labels guess) const {
  return 1 - reciprocal_rank(relevant_ones(kind, guess));
}

double ReciprocalRank::gain(std::int32_t kind, std::int64_t relevant_ahead,
                            std::int64_t place) const {
  return kind == 1 && relevant_ahead == 0 ? 1 / static_cast<double>(place) : 0;
}

double ReciprocalRank::most(sculpt::Labels) const {
  return 1;
}

Ndcg::Ndcg(const sculpt::Parameters& given)
    : GainLoss(GradeGroups(given.integer("relevant_from"))),
      k_(given.integer("k")),
      linear_(given.choice("gain") == "linear") {}

void Ndcg::bind(const sculpt::Bindings& bindings) {
  GainLoss::bind(bindings);
  discounts_ = Discounts(k_, longest());
}

double Ndcg::gain_of(std::int32_t kind) const {
  return linear_ ? linear_gain(kind) : exponential_gain(kind);
}

std::vector<double> Ndcg::gains_of(sculpt::Labels truth) const {
  std::vector<double> gains;
  for (const std::int32_t kind : kinds().of(truth)) gains.push_back(gain_of(kind));
  return gains;
}

double Ndcg::value(sculpt::Labels truth, std::span<const std::int32_t>,
                   sculpt::Labels guess) const {
  const std::vector<double> gains = gains_of(truth);
  const double share =
      discounted_gain(gains, guess, discounts_) / discounted_gain(gains, truth, discounts_);
  return std::max(0.0, 1 - share);  // the sums of two best orders may differ by rounding
}

double Ndcg::gain(std::int32_t kind, std::int64_t, std::int64_t place) const {
  return gain_of(kind) * discounts_.at(place);
}

double Ndcg::most(sculpt::Labels truth) const {
  return discounted_gain(gains_of(truth), truth, discounts_);
}

}  // namespace ranking
