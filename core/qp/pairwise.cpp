#include "qp/pairwise.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

// An alpha below this part of the cap is rounding: its mass moves on to the plane that takes it.
constexpr double negligible = 1e-14;

struct Step {
  std::size_t from = 0;
  double length = 0;
  double gain = 0;
};

// The best step from plane q to plane p. A curvature of 0 (duplicate planes, or a = 0 with b > 0)
// takes all there is.
Step step_between(const Block& block, const std::vector<double>& score, std::size_t p,
                  std::size_t q) {
  const double slope = score[p] - score[q];
  const double curvature = block.gram[p][p] + block.gram[q][q] - 2 * block.gram[p][q];
  Step step{q, block.alpha[q], 0};
  if (curvature > 0 && slope < step.length * curvature) step.length = slope / curvature;
  step.gain = step.length * (slope - 0.5 * step.length * std::max(curvature, 0.0));
  return step;
}

void take(Block& block, double cap, std::vector<double>& score, std::size_t p, const Step& step) {
  const std::size_t q = step.from;
  double length = step.length;
  if (block.alpha[q] - length <= negligible * cap) length = block.alpha[q];
  block.alpha[q] -= length;
  block.alpha[p] += length;
  const double* to = block.gram[p].data();
  const double* from = block.gram[q].data();
  for (std::size_t r = 0; r < score.size(); ++r) score[r] -= length * (to[r] - from[r]);
}

}  // namespace

BlockGap block_gap(const Block& block, double cap, const std::vector<double>& score) {
  BlockGap result;
  double attained = 0;
  for (std::size_t p = 0; p < score.size(); ++p) {
    result.slack = std::max(result.slack, score[p]);
    if (block.alpha[p] > 0) attained += block.alpha[p] * score[p];
  }
  result.gap = std::max(0.0, cap * result.slack - attained);
  return result;
}

PairwiseSteps improve_block(Block& block, double cap, std::vector<double>& score, double tolerance,
                            std::int64_t max_steps) {
  PairwiseSteps done;
  for (;; ++done.steps) {
    const auto highest = std::max_element(score.begin(), score.end());
    const auto p = static_cast<std::size_t>(highest - score.begin());
    double attained = 0;
    Step best;
    for (std::size_t q = 0; q < score.size(); ++q) {
      if (block.alpha[q] == 0) continue;
      attained += block.alpha[q] * score[q];
      if (score[q] >= score[p]) continue;
      const Step step = step_between(block, score, p, q);
      if (step.gain > best.gain) best = step;
    }
    done.gap = std::max(0.0, cap * *highest - attained);
    // A gain of 0 in doubles: the scores differ by rounding alone.
    if (done.gap <= tolerance || best.gain <= 0 || done.steps >= max_steps) return done;
    take(block, cap, score, p, best);
    done.gain += best.gain;
  }
}

}  // namespace sculpt::core
