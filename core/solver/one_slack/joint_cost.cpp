#include "solver/one_slack/joint_cost.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/products.hpp"
#include "solver/cutting_plane/recomputed_slack.hpp"

namespace sculpt::core {

void JointCost::certify() {
  PassController& pass_controller = context_.pass_controller;
  JointSeparation& joint = answer_.joint;
  MeanSlack mean;
  for (std::size_t k = 0; k < joint.low.size(); ++k) {
    pass_controller.add_cost(static_cast<std::int64_t>(k), answer_.bound_example(k),
                             joint.rounding[k], mean);
  }
  mean = mean.divided_by(static_cast<double>(joint.low.size()));
  const bool squares = formulation_.squares_slacks();
  if (squares) joint.b -= mean.low;
  rounding_ = mean.rounding + answer_.terms().rounding();
  const double magnitude_of_b = std::max(std::abs(joint.b), context_.working_set.largest_b());
  const auto recompute = [&] {
    return cost_of(recompute_slack(context_.working_set.block(0), pass_controller.query_point()));
  };
  double known = squares ? slack() : pass_controller.cost(slack(), rounding_);
  if (options_.samples_cuts) known = 0;  // sampled planes bound nothing
  // `known` comes from products of planes, with the rounding of far larger terms. It does not prove
  // a bound of P.
  if (known > mean.low) known = recompute().slack;
  const SlackBounds cost = bound_slack({known, mean.low, mean.high, magnitude_of_b, rounding_},
                                       context_.source, -1, recompute);
  PassFindings& findings = pass_controller.findings;
  findings.violation_beyond_slack = cost.high - (formulation_.is_hard_margin() ? 0 : known);
  if (mean.slack > 0) {
    findings.missing_margin_fraction = missing_margin_fraction_of(mean.slack, joint.b);
  }
  pass_controller.certify({cost.low, cost.high, squares ? mean.slack : cost.low, mean.rounding});
}

void JointCost::subtract_cost() {
  if (!formulation_.squares_slacks()) return;
  JointSeparation& joint = answer_.joint;
  double sum = 0;
  for (const double low : joint.low) sum += context_.pass_controller.cost(std::max(0.0, low));
  joint.b -= sum / static_cast<double>(joint.low.size());
}

void JointCost::record_rounding() {
  const JointSeparation& joint = answer_.joint;
  double sum = 0;
  for (std::size_t k = 0; k < joint.low.size(); ++k) {
    const double slack = std::max({0.0, joint.low[k], joint.high[k]});
    sum += rounding_of_cost(formulation_, slack, joint.rounding[k]);
  }
  rounding_ = sum / static_cast<double>(joint.low.size()) + answer_.terms().rounding();
}

double JointCost::low(WeightView w) const {
  return answer_.joint.b - dot(answer_.joint.a, w.dense());
}

bool JointCost::is_violated(double low) const {
  const StopRules& stop_rules = context_.pass_controller.stop_rules();
  return stop_rules.is_violated(answer_.joint.b, low, slack(), rounding_);
}

// Converts slacks to the mean cost. Under norm 2 the planes measure that cost already.
RecomputedSlack JointCost::cost_of(RecomputedSlack known) const {
  if (formulation_.squares_slacks()) return known;
  const PassController& pass_controller = context_.pass_controller;
  return {pass_controller.cost(known.slack, rounding_),
          pass_controller.cost(known.lower_bound, rounding_)};
}

void JointCost::load(StateReader& in) {
  rounding_ = in.get<double>();
  in.require(std::isfinite(rounding_) && rounding_ >= 0, "a rounding that is out of range");
}

}  // namespace sculpt::core
