#include "solver/cutting_plane/warm_start.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sculpt::core {
namespace {

// Linear prices: the best feasible factor along the ray of alpha. For other prices refresh() finds
// it.
double best_factor(const WorkingSet& working_set) {
  const double cap = working_set.slack_term().cap;
  double linear = 0;
  double largest_mass = 0;
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const Block& block = working_set.block(i);
    for (std::size_t p = 1; p < block.size(); ++p) linear += block.alpha[p] * block.b[p];
    largest_mass = std::max(largest_mass, block.alpha_sum());
  }
  const double quadratic = working_set.squared_norm();
  if (linear <= 0 || largest_mass <= 0) return 0;
  const double most = cap / largest_mass;
  return quadratic > 0 ? std::min(linear / quadratic, most) : most;
}

// Plane 0 gets what the others leave of the cap.
void scale_alpha(Block& block, double factor, double cap) {
  for (std::size_t p = 1; p < block.size(); ++p) block.alpha[p] *= factor;
  block.alpha[0] = std::max(0.0, cap - block.alpha_sum());
}

}  // namespace

void begin_with(WorkingSet& working_set, WorkingSet earlier) {
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    Block& from = earlier.block(i);
    Block& block = working_set.block(i);
    for (std::size_t p = 1; p < from.size(); ++p) {
      working_set.add(i, std::move(from.a[p]), from.b[p], from.output[p]);
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
