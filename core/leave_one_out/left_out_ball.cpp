#include "leave_one_out/left_out_ball.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

// P and D are sums of terms as large as dual_magnitude(). Below this fraction of it, their
// difference is rounding.
constexpr double gap_rounding = 1e-12;

}  // namespace

BlockGaps block_gaps(const WorkingSet& planes, const std::vector<double>& slack) {
  const SlackTerm& term = planes.slack_term();
  BlockGaps out;
  double primal = 0.5 * planes.squared_norm();
  std::vector<double> score;
  for (std::int64_t i = 0; i < planes.block_count(); ++i) {
    const Block& block = planes.block(i);
    planes.score(i, score);
    const double cost = term.cost_increase(0, slack[static_cast<std::size_t>(i)]);
    const double alpha_sum = block.alpha_sum();
    double gap = cost - 0.5 * term.ridge * alpha_sum * alpha_sum;
    for (std::size_t p = 1; p < block.size(); ++p) gap -= block.alpha[p] * score[p];
    out.of_block.push_back(std::max(0.0, gap));
    primal += cost;
  }
  out.gap = std::max(0.0, primal - planes.dual()) +
            gap_rounding * (planes.dual_magnitude() + std::abs(primal));
  return out;
}

LeftOutBall ball_without(std::int64_t example, const WorkingSet& planes, const BlockGaps& gaps,
                         const ExampleProduct& product) {
  LeftOutBall ball;
  ball.shift = product.sum_of(planes.block(example));
  for (double& value : ball.shift.value) value *= 0.5;
  const double half_length = ball.shift.index.empty() ? 0 : product.norm(ball.shift);
  const double own_gap = gaps.of_block[static_cast<std::size_t>(example)];
  ball.radius = std::sqrt(half_length * half_length + std::max(0.0, gaps.gap - own_gap));
  return ball;
}

}  // namespace sculpt::core
