// cut_sample.hpp - joint planes of one_slack from a sample of the examples.
//
// Held by JointAnswer. Source: Yu & Joachims, "Training structural SVMs with kernels using sampled
// cuts", KDD 2008. With r examples drawn for a pass
//
//   uniform      without repetition:  a = 1/r sum of the a_i, b likewise, of the violated
//   importance   all n examples are asked, and drawn with p_i = xi_i / sum xi, with repetition:
//                a = 1/r sum of the a_i / (n p_i), b likewise
//
// Both have the mean of the exact joint plane. Such a plane has r examples in place of n, so with a
// kernel it has few atoms. It is no lower bound of the mean slack, so D proves nothing. Draws
// depend on (seed, pass) alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objective/plane_source.hpp"
#include "solver/cutting_plane/cutting_plane_context.hpp"
#include "solver/one_slack/one_slack.hpp"

namespace sculpt::core {

class CutSample {
 public:
  // Both must outlive it. Requires options.cut_sample > 0.
  CutSample(const OneSlackOptions& options, CuttingPlaneContext& context)
      : options_(options), context_(context) {}

  // True if the passes know the slacks of all examples.
  bool asks_all() const { return options_.cut_sampling == CutSampling::importance; }

  // Draws the examples of this pass, asks about them at the query point, and makes their plane.
  // `joint` has low, high, rounding and magnitude of all examples if asks_all(), else of those
  // drawn. Throws Cancelled.
  void ask(const Pass& pass, JointWeight weight, JointSeparation& joint);

 private:
  void ask_about(std::span<const std::int64_t> examples, const Pass& pass);
  void ask_drawn(const Pass& pass, JointWeight weight, JointSeparation& joint);
  void ask_all_and_draw(const Pass& pass, JointWeight weight, JointSeparation& joint);
  void add_answers(JointSeparation& joint) const;
  void add_planes(std::span<const double> factors, JointWeight weight,
                  JointSeparation& joint) const;

  const OneSlackOptions& options_;
  CuttingPlaneContext& context_;
  std::vector<Separation> answers_;
};

}  // namespace sculpt::core
