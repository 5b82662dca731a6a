// joint_cost.hpp - the mean cost of the slacks, from the joint plane of one_slack.
//
// Held by one_slack. Under norm 2 the mean half square of the slacks is minimized, and the planes
// are its tangents. So the cost of the slacks, the mean half square, is subtracted from b.
#pragma once

#include "base/file/state_stream.hpp"
#include "linalg/weight_view.hpp"
#include "objective/certificate.hpp"
#include "objective/formulation.hpp"
#include "solver/cutting_plane/cutting_plane_context.hpp"
#include "solver/one_slack/joint_answer.hpp"

namespace sculpt::core {

class JointCost {
 public:
  // All arguments must outlive it.
  JointCost(const OneSlackOptions& options, CuttingPlaneContext& context, JointAnswer& answer)
      : options_(options), formulation_(options.formulation), context_(context), answer_(answer) {}

  // Computes what the answers of the pass prove: the bounds of P, violation_beyond_slack and
  // missing_margin_fraction.
  void certify();
  // Turns a joint plane of cached or sampled planes into the tangent at its w.
  void subtract_cost();
  // Records the rounding of the joint plane of a sample, as certify() does for all examples.
  void record_rounding();

  // b - <w, a> of the joint plane.
  double low(WeightView w) const;
  // True if `low`, found at the evaluation point of the last QP, exceeds the slack there by more
  // than the target allows.
  bool is_violated(double low) const;
  double slack() const { return context_.qp_solver.slack().front(); }  // xi

  void save(StateWriter& out) const { out.put(rounding_); }
  void load(StateReader& in);

 private:
  RecomputedSlack cost_of(RecomputedSlack known) const;

  const OneSlackOptions& options_;
  const Formulation& formulation_;
  CuttingPlaneContext& context_;
  JointAnswer& answer_;
  double rounding_ = 0;  // of the joint plane of the last pass, at its query point
};

}  // namespace sculpt::core
