#include "qp/block/pairwise_steps.hpp"

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "qp/block/block_face.hpp"
#include "qp/block/negligible_alpha.hpp"

namespace sculpt::core {
namespace {

// Pairwise steps before the face is solved, at least: most blocks need fewer. Also at least as many
// as cost the same work as solving the face.
constexpr std::int64_t steps_per_face = 32;

// Sums over the planes of a block. Plane 0 has score 0 and adds nothing.
struct Sums {
  double weighted_score = 0;     // sum alpha score
  double alpha_sum = 0;          // A
  double max_score = -infinity;  // of planes except 0
  std::size_t max_plane = 0;     // the plane with that score; 0: there is none

  void add(const Block& block, const std::vector<double>& score, std::size_t p) {
    if (block.alpha[p] > 0) {
      weighted_score += block.alpha[p] * score[p];
      alpha_sum += block.alpha[p];
    }
    if (score[p] > max_score) {
      max_score = score[p];
      max_plane = p;
    }
  }
};

// The gap of BlockGap, from the sums.
BlockGap gap_of(const Block& block, const SlackTerm& term, const Sums& sums) {
  if (term.is_linear()) {
    const double slack = std::max(0.0, sums.max_score);
    return {std::max(0.0, term.cap * slack - sums.weighted_score), slack, slack};
  }
  const double level = std::max(sums.max_score, -term.ridge * sums.alpha_sum);
  const double below_level = level * sums.alpha_sum - sums.weighted_score;
  double above_zero = 0;
  if (!term.is_forbidden()) {
    above_zero = 0.5 * level * level / term.ridge;
  } else if (level > 0) {
    const double curvature = sums.max_plane > 0 ? block.gram[sums.max_plane][sums.max_plane] : 0;
    above_zero = level * std::max(term.reference_price, level / curvature);
  }
  return {std::max(0.0, above_zero + below_level), level + term.ridge * sums.alpha_sum, level};
}

struct Step {
  std::size_t from = 0;
  double length = 0;
  double gain = 0;
};

// The best step from plane q to plane p. If the curvature is 0 (duplicate planes, or a = 0 with b >
// 0), it takes all of alpha_q, or nothing if that is infinite.
Step step_between(const Block& block, const std::vector<double>& score, std::size_t p,
                  std::size_t q) {
  const double slope = score[p] - score[q];
  const double curvature = block.gram[p][p] + block.gram[q][q] - 2 * block.gram[p][q];
  Step step{q, block.alpha[q], 0};
  if (curvature > 0 && slope < step.length * curvature) step.length = slope / curvature;
  if (std::isinf(step.length)) return {};
  step.gain = step.length * (slope - 0.5 * step.length * std::max(curvature, 0.0));
  return step;
}

// Makes the step to plane p, and updates the scores. A negligible rest of alpha moves along.
void move_alpha(Block& block, double alpha_sum, std::vector<double>& score, std::size_t p,
                const Step& step) {
  const std::size_t q = step.from;
  double length = step.length;
  if (block.alpha[q] - length <= negligible_alpha * alpha_sum) length = block.alpha[q];
  block.alpha[q] -= length;
  block.alpha[p] += length;
  const double* to = block.gram[p];
  const double* from = block.gram[q];
  for (std::size_t r = 0; r < score.size(); ++r) score[r] -= length * (to[r] - from[r]);
}

}  // namespace

BlockGap block_gap(const Block& block, const SlackTerm& term, const std::vector<double>& score) {
  Sums sums;
  for (std::size_t p = 1; p < score.size(); ++p) sums.add(block, score, p);
  return gap_of(block, term, sums);
}

PairwiseSteps improve_block(Block& block, const SlackTerm& term, std::vector<double>& score,
                            double tolerance, std::int64_t max_steps) {
  PairwiseSteps result;
  BlockFace face;
  const auto size = static_cast<std::int64_t>(block.size());
  std::int64_t next_face = std::max(steps_per_face, size);
  for (;; ++result.steps) {
    if (result.steps >= next_face) {
      const BlockFace::Outcome outcome = face.ascend(block, term, score);
      const auto cost = static_cast<std::int64_t>(outcome.work / static_cast<double>(size));
      result.gain += outcome.gain;
      result.steps += cost;
      next_face = result.steps + std::max({steps_per_face, size, cost});
    }
    const auto max_score = std::max_element(score.begin(), score.end());
    const auto p = static_cast<std::size_t>(max_score - score.begin());
    Sums sums;
    Step best;
    for (std::size_t q = 0; q < score.size(); ++q) {
      if (q > 0) sums.add(block, score, q);
      if (block.alpha[q] == 0 || score[q] >= score[p]) continue;
      const Step step = step_between(block, score, p, q);
      if (step.gain > best.gain) best = step;
    }
    result.gap = gap_of(block, term, sums).gap;
    // A gain of 0 in double precision: the scores differ by rounding only.
    if (result.gap <= tolerance || best.gain <= 0 || result.steps >= max_steps) return result;
    move_alpha(block, sums.alpha_sum, score, p, best);
    result.gain += best.gain;
  }
}

}  // namespace sculpt::core
