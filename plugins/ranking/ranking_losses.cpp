#include "ranking_losses.hpp"

#include "pair_counts.hpp"

namespace ranking {

namespace {

// The documents that tie, those of kind 1 being the positive ones.
std::vector<sculpt::TiedRows> relevant_ones(std::span<const std::int32_t> kind, sculpt::Labels y) {
  return sculpt::count_ties(
      y, [&](std::int64_t document) { return kind[static_cast<std::size_t>(document)] == 1; });
}

}  // namespace

void RankingLoss::bind(const sculpt::Bindings& bindings) {
  MeasuredLoss::bind(bindings);
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
  if (takes_turned_pairs()) {
    data().check(example, guess);
  } else {
    data().check_order(example, guess);
  }
  const std::vector<std::int32_t> kind = kinds_.of(truth);
  return differ(kind) ? value(truth, kind, guess) : 0;
}

double PairError::value(sculpt::Labels, std::span<const std::int32_t> kind,
                        sculpt::Labels guess) const {
  return turned_share(kind, guess);
}

double MeanAveragePrecision::value(sculpt::Labels, std::span<const std::int32_t> kind,
                                   sculpt::Labels guess) const {
  return 1 - sculpt::average_precision(relevant_ones(kind, guess));
}

void MeanAveragePrecision::gains(const TwoKinds& kinds, std::int64_t t,
                                 std::span<double> gain) const {
  const double share = static_cast<double>(t) / static_cast<double>(kinds.better);
  for (std::size_t b = 0; b < gain.size(); ++b) gain[b] = share / static_cast<double>(t + b);
}

double ReciprocalRank::value(sculpt::Labels, std::span<const std::int32_t> kind,
                             sculpt::Labels guess) const {
  return 1 - reciprocal_rank(relevant_ones(kind, guess));
}

void ReciprocalRank::gains(const TwoKinds&, std::int64_t t, std::span<double> gain) const {
  for (std::size_t b = 0; b < gain.size(); ++b)
    gain[b] = t == 1 ? 1 / static_cast<double>(1 + b) : 0;
}

Ndcg::Ndcg(const sculpt::Parameters& given)
    : TwoKindLoss(Kinds(given.integer("relevant_from"))),
      k_(given.integer("k")),
      linear_(given.choice("gain") == "linear") {}

void Ndcg::bind(const sculpt::Bindings& bindings) {
  TwoKindLoss::bind(bindings);
  discounts_ = Discounts(k_, longest());
}

double Ndcg::gain_of(std::int32_t kind) const {
  return linear_ ? linear_gain(kind) : exponential_gain(kind);
}

std::vector<double> Ndcg::shares(sculpt::Labels truth) const {
  std::vector<double> gain;
  for (const std::int32_t kind : kinds().of(truth)) gain.push_back(gain_of(kind));
  const double best = discounted_gain(gain, truth, discounts_);
  for (double& one : gain) one = best > 0 ? one / best : 0;
  return gain;
}

double Ndcg::value(sculpt::Labels truth, std::span<const std::int32_t> kind,
                   sculpt::Labels guess) const {
  std::vector<double> gain;
  for (const std::int32_t one : kind) gain.push_back(gain_of(one));
  return 1 - discounted_gain(gain, guess, discounts_) / discounted_gain(gain, truth, discounts_);
}

double Ndcg::most(const TwoKinds& kinds) const {
  const double first = discounts_.sum(kinds.better);
  const double rest = discounts_.sum(kinds.better + kinds.worse) - first;
  return gain_of(kinds.better_kind) * first + gain_of(kinds.worse_kind) * rest;
}

double Ndcg::constant(const TwoKinds& kinds) const {
  return gain_of(kinds.worse_kind) * discounts_.sum(kinds.better + kinds.worse) / most(kinds);
}

void Ndcg::gains(const TwoKinds& kinds, std::int64_t t, std::span<double> gain) const {
  const double more = (gain_of(kinds.better_kind) - gain_of(kinds.worse_kind)) / most(kinds);
  for (std::size_t b = 0; b < gain.size(); ++b) {
    gain[b] = more * discounts_.at(t + static_cast<std::int64_t>(b));
  }
}

}  // namespace ranking
