#include "check/answers/exact_distribution.hpp"

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "check/answers/answer_comparison.hpp"

namespace sculpt::core {
namespace {

// sum += factor * psi
void add(DenseValue& sum, const SparseVector& psi, double factor) {
  for (std::size_t k = 0; k < psi.index.size(); ++k) {
    const auto weight = static_cast<std::size_t>(psi.index[k]);
    sum.value[weight] += factor * psi.value[k];
    sum.magnitude[weight] += std::abs(factor * psi.value[k]);
  }
}

DenseValue zeros(std::size_t dimension) {
  return {std::vector<double>(dimension), std::vector<double>(dimension)};
}

}  // namespace

ExactDistribution::ExactDistribution(TestFixture& fixture, const OracleQuery& query)
    : log_z_(-infinity) {
  const OutputSet& set = fixture.outputs(query.example);
  const bool is_truth_outside =
      ask_oracle(fixture.problem(), query).has_flag(SCULPT_ANSWER_TRUTH_OUTSIDE);
  for (std::size_t k = 0; k < set.outputs.size(); ++k) {
    if (is_truth_outside && k == set.truth) continue;
    const AugmentedScore score = augmented_score_of(query, set.outputs[k]);
    members_.push_back({&set.outputs[k], score.value, 0});
    largest_terms_.magnitude = std::max(largest_terms_.magnitude, score.terms.magnitude);
    largest_terms_.count = std::max(largest_terms_.count, score.terms.count);
  }
  if (members_.empty()) return;
  std::sort(members_.begin(), members_.end(), [](const WeightedOutput& a, const WeightedOutput& b) {
    return a.score != b.score ? a.score > b.score : a.output->labels < b.output->labels;
  });
  const double best = members_.front().score;
  double z = 0;
  for (const WeightedOutput& member : members_) z += std::exp(member.score - best);
  for (WeightedOutput& member : members_) member.probability = std::exp(member.score - best) / z;
  log_z_ = best + std::log(z);
}

DenseValue ExactDistribution::mean(std::int64_t dimension) const {
  DenseValue sum = zeros(static_cast<std::size_t>(dimension));
  for (const WeightedOutput& member : members_) add(sum, member.output->psi, member.probability);
  return sum;
}

DenseValue ExactDistribution::covariance_times(std::span<const double> v) const {
  double mean_score = 0;
  for (const WeightedOutput& member : members_) {
    mean_score += member.probability * score_and_terms_of(*member.output, v).value;
  }
  DenseValue sum = zeros(v.size());
  for (const WeightedOutput& member : members_) {
    const ScoreAndTerms score = score_and_terms_of(*member.output, v);
    add(sum, member.output->psi, member.probability * (score.value - mean_score));
  }
  return sum;
}

}  // namespace sculpt::core
