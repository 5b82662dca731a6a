#include "solver/one_slack/joint_cost.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/products.hpp"
#include "solver/cutting_plane/recomputed_slack.hpp"

namespace sculpt::core {

void JointCost::certify() {
  Progress& progress = parts_.progress;
  JointSeparation& joint = answer_.joint;
  MeanSlack mean;
  for (std::size_t k = 0; k < joint.low.size(); ++k) {
    progress.add_cost(answer_.bound_example(k), joint.rounding[k], mean);
  }
  mean = mean.over(static_cast<double>(joint.low.size()));
  const bool squares = formulation_.squares_slacks();
  if (squares) joint.b -= mean.low;
  rounding_ = mean.rounding + answer_.terms().rounding();
  const double size_of_b = std::max(std::abs(joint.b), parts_.working_set.largest_b());
  const auto again = [&] {
    return cost_of(look_again(parts_.working_set.block(0), progress.place()));
  };
  double seen = squares ? slack() : progress.cost(slack(), rounding_);
  // From products of planes, whose rounding is that of far larger terms: no bound of P by itself.
  if (seen > mean.low) seen = again().slack;
  const SlackBounds cost =
      bound_slack({seen, mean.low, mean.high, size_of_b, rounding_}, parts_.source, -1, again);
  progress.found.excess = cost.high - (formulation_.hard_margin() ? 0 : seen);
  if (mean.slack > 0) progress.found.shortfall = shortfall_of(mean.slack, joint.b);
  progress.certify({cost.low, cost.high, squares ? mean.slack : cost.low, mean.rounding});
}

void JointCost::subtract_cached() {
  if (!formulation_.squares_slacks()) return;
  JointSeparation& joint = answer_.joint;
  double sum = 0;
  for (const double low : joint.low) sum += parts_.progress.cost(std::max(0.0, low));
  joint.b -= sum / static_cast<double>(joint.low.size());
}

double JointCost::low(WeightView w) const {
  return answer_.joint.b - dot(answer_.joint.a, w.dense());
}

bool JointCost::is_violated(double low) const {
  return parts_.progress.stopping().violated(answer_.joint.b, low, slack(), rounding_);
}

// Slacks as the mean cost has them: the cost itself, or under norm 2 what is left of it.
SeenAgain JointCost::cost_of(SeenAgain seen) const {
  if (formulation_.squares_slacks()) return seen;
  const Progress& progress = parts_.progress;
  return {progress.cost(seen.slack, rounding_), progress.cost(seen.sure, rounding_)};
}

void JointCost::load(StateReader& in) {
  rounding_ = in.get<double>();
  in.require(std::isfinite(rounding_) && rounding_ >= 0, "a rounding that is out of range");
}

}  // namespace sculpt::core
