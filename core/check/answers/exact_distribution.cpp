#include "check/answers/exact_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "check/answers/answer_comparison.hpp"

namespace sculpt::core {
namespace {

// sum += factor * psi
void add(DenseValue& sum, const SparseVector& psi, double factor) {
  for (std::size_t k = 0; k < psi.index.size(); ++k) {
    const auto weight = static_cast<std::size_t>(psi.index[k]);
    sum.value[weight] += factor * psi.value[k];
    sum.size[weight] += std::abs(factor * psi.value[k]);
  }
}

DenseValue zeros(std::size_t dimension) {
  return {std::vector<double>(dimension), std::vector<double>(dimension)};
}

}  // namespace

ExactDistribution::ExactDistribution(TestFixture& fixture, const OracleQuery& question)
    : log_z_(-std::numeric_limits<double>::infinity()) {
  const OutputSet& set = fixture.outputs(question.example);
  const bool outside = ask(fixture.problem(), question).has(SCULPT_ANSWER_TRUTH_OUTSIDE);
  for (std::size_t k = 0; k < set.outputs.size(); ++k) {
    if (outside && k == set.truth) continue;
    const AugmentedScore value = augmented_score_of(question, set.outputs[k]);
    members_.push_back({&set.outputs[k], value.value, 0});
    largest_terms_.size = std::max(largest_terms_.size, value.terms.size);
    largest_terms_.count = std::max(largest_terms_.count, value.terms.count);
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
  double mean_worth = 0;
  for (const WeightedOutput& member : members_) {
    mean_worth += member.probability * score_and_terms_of(*member.output, v).score;
  }
  DenseValue sum = zeros(v.size());
  for (const WeightedOutput& member : members_) {
    const ScoreAndTerms worth = score_and_terms_of(*member.output, v);
    add(sum, member.output->psi, member.probability * (worth.score - mean_worth));
  }
  return sum;
}

}  // namespace sculpt::core
