#include "qp/block/frank_wolfe_step.hpp"

#include <algorithm>

#include "qp/block/negligible_alpha.hpp"

namespace sculpt::core {

void frank_wolfe_step(Block& block, const SlackTerm& term, const std::vector<double>& score) {
  const auto max_score = std::max_element(score.begin(), score.end());
  const auto p = static_cast<std::size_t>(max_score - score.begin());
  std::vector<double> d(block.size());
  for (std::size_t q = 0; q < d.size(); ++q) d[q] = (q == p ? term.cap : 0) - block.alpha[q];
  double gap = 0;
  double curvature = 0;
  for (std::size_t q = 0; q < d.size(); ++q) {
    if (d[q] == 0) continue;
    gap += d[q] * score[q];
    for (std::size_t r = 0; r < d.size(); ++r) curvature += d[q] * d[r] * block.gram[q][r];
  }
  if (gap <= 0) return;
  const double gamma = gap < curvature ? gap / curvature : 1;
  const double alpha_sum = block.alpha_sum();
  double others = 0;  // alpha of all planes except 0 and p
  for (std::size_t q = 1; q < d.size(); ++q) {
    if (q == p) continue;
    block.alpha[q] *= 1 - gamma;
    // Sets it to 0: steps with gamma < 1 alone would only come near 0.
    if (block.alpha[q] <= negligible_alpha * alpha_sum) block.alpha[q] = 0;
    others += block.alpha[q];
  }
  // alpha[p] follows the step, not cap - others: for a large ||a_p||, alpha[p] can be smaller than
  // the rounding of that difference.
  if (p != 0) {
    const double max_alpha = std::max(0.0, term.cap - others);
    block.alpha[p] = std::clamp(block.alpha[p] + gamma * d[p], 0.0, max_alpha);
  }
  block.alpha[0] = std::max(0.0, term.cap - others - (p != 0 ? block.alpha[p] : 0));
}

}  // namespace sculpt::core
