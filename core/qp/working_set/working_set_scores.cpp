// working_set_scores.cpp - the scores of a block's planes.

#include <algorithm>

#include "base/infinity.hpp"
#include "linalg/prefetch.hpp"
#include "qp/plane/plane_products.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

void WorkingSet::score(std::int64_t index, std::vector<double>& score) const {
  const Block& block = this->block(index);
  const std::size_t size = block.size();
  score.assign(block.b.begin(), block.b.end());
  if (!scores_by_gram()) {
    const double slack = slack_term_.ridge > 0 ? slack_term_.ridge * block.alpha_sum() : 0;
    PlaneProducts product(w_);
    for (std::size_t p = 1; p < size; ++p) score[p] -= product(block.a[p]) + slack;
    return;
  }
  for (std::size_t q = 1; q < size; ++q) {
    const double alpha = block.alpha[q];
    if (alpha == 0) continue;
    const double* row = block.gram[q];
    for (std::size_t p = 0; p < size; ++p) score[p] -= alpha * row[p];
  }
}

// `shrunk` is not read with PlaneFilter::all: other threads may write it at the same time.
void WorkingSet::prefetch_planes(const Block& block, PlaneFilter filter) {
  keep_prefetches();
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (filter == PlaneFilter::not_shrunk && block.shrunk[p] != 0) continue;
    if (filter == PlaneFilter::active && block.alpha[p] == 0) continue;
    if (p == 1 || !block.a[p].shares_input(block.a[p - 1])) block.a[p].prefetch();
  }
}

void WorkingSet::prefetch_numbers(const Block& block) {
  keep_prefetches();
  __builtin_prefetch(block.a.data());
  __builtin_prefetch(block.b.data());
  __builtin_prefetch(block.alpha.data());
  __builtin_prefetch(block.shrunk.data());
  __builtin_prefetch(block.gram[0]);
}

void WorkingSet::prefetch_next(std::span<const std::int64_t> order, std::size_t k,
                               PlaneFilter filter) const {
  keep_prefetches();
  if (scores_by_gram()) return;
  if (k + 1 < order.size()) prefetch_planes(block(order[k + 1]), filter);
  if (k + 2 < order.size()) prefetch_numbers(block(order[k + 2]));
  if (k + 3 < order.size()) __builtin_prefetch(&block(order[k + 3]));
}

void WorkingSet::prefetch_after(std::int64_t index, PlaneFilter filter) const {
  keep_prefetches();
  if (scores_by_gram()) return;
  if (index + 1 < block_count()) prefetch_planes(block(index + 1), filter);
  if (index + 2 < block_count()) prefetch_numbers(block(index + 2));
}

double WorkingSet::slack_of(std::int64_t index, WeightView w) const {
  const Block& block = this->block(index);
  PlaneProducts product(w.dense());
  double slack = 0;
  for (std::size_t p = 1; p < block.size(); ++p) {
    slack = std::max(slack, block.b[p] - product(block.a[p]));
  }
  return slack;
}

std::size_t WorkingSet::score_not_shrunk(std::int64_t index, WeightView w,
                                         std::vector<double>& score) const {
  const Block& block = this->block(index);
  if (scores_by_gram()) {
    this->score(index, score);
    return block.size();
  }
  std::size_t entries = 0;
  const double slack = slack_term_.ridge > 0 ? slack_term_.ridge * block.alpha_sum() : 0;
  score.assign(block.b.begin(), block.b.end());
  PlaneProducts product(w.dense());
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (block.shrunk[p] != 0) {
      score[p] = -infinity;
    } else {
      score[p] -= product(block.a[p]) + slack;
      entries += block.a[p].entry_count();
    }
  }
  return entries;
}

}  // namespace sculpt::core
