#include "solver/cutting_plane/warm_start.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sculpt::core {
namespace {

// The factor of alpha with the largest D, if slacks cost linearly. For other costs refresh() finds
// it.
double best_factor(const WorkingSet& working_set) {
  const double cap = working_set.slack_term().cap;
  double sum_alpha_b = 0;
  double largest_alpha_sum = 0;
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const Block& block = working_set.block(i);
    for (std::size_t p = 1; p < block.size(); ++p) sum_alpha_b += block.alpha[p] * block.b[p];
    largest_alpha_sum = std::max(largest_alpha_sum, block.alpha_sum());
  }
  const double squared_norm = working_set.squared_norm();
  if (sum_alpha_b <= 0 || largest_alpha_sum <= 0) return 0;
  const double max_factor = cap / largest_alpha_sum;
  return squared_norm > 0 ? std::min(sum_alpha_b / squared_norm, max_factor) : max_factor;
}

// Multiplies alpha by the factor. Plane 0 gets the rest of the cap.
void scale_alpha(Block& block, double factor, double cap) {
  for (std::size_t p = 1; p < block.size(); ++p) block.alpha[p] *= factor;
  block.alpha[0] = std::max(0.0, cap - block.alpha_sum());
}

}  // namespace

void import_planes(WorkingSet& working_set, WorkingSet warm_start_planes) {
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    Block& from = warm_start_planes.block(i);
    Block& block = working_set.block(i);
    for (std::size_t p = 1; p < from.size(); ++p) {
      working_set.add(i, std::move(from.a[p]), from.b[p], from.key[p]);
      block.alpha.back() = from.alpha[p];
    }
    from = {};
  }
  working_set.refresh();
  const SlackTerm& term = working_set.slack_term();
  if (!term.is_linear()) return;
  const double factor = best_factor(working_set);
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    scale_alpha(working_set.block(i), factor, term.cap);
  }
  working_set.refresh();
}

}  // namespace sculpt::core
