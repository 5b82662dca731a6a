// joint_answer.hpp - the joint plane of all examples at one w, from the oracle or from stored
// planes.
//
// Held by one_slack. Without a cache the source sums the answers directly (separate_jointly). With
// a cache every answer's plane is stored (plane_cache.hpp). The joint plane then takes the best
// stored plane of each example, which may be an older one that the oracle missed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/rounding.hpp"
#include "objective/certificate.hpp"
#include "objective/plane_source.hpp"
#include "solver/cutting_plane/cutting_plane_context.hpp"
#include "solver/one_slack/cut_sample.hpp"
#include "solver/one_slack/one_slack.hpp"
#include "solver/one_slack/plane_cache.hpp"

namespace sculpt::core {

class JointAnswer {
 public:
  // The context must outlive it.
  JointAnswer(const OneSlackOptions& options, CuttingPlaneContext& context);

  // Asks about all examples at the query point of the pass. Throws Cancelled.
  void ask(const Pass& pass);
  // The same about a sample of the examples. Requires options.cut_sample > 0. Throws Cancelled.
  void ask_sample(const Pass& pass) { sample_.ask(pass, weight_, joint); }
  // True if the last ask() or ask_sample() has the slacks of all examples.
  bool knows_all_slacks() const { return std::ssize(joint.low) == context_.source.example_count(); }
  bool has_cache() const { return cache_.has_value(); }
  // Makes the joint plane from stored planes at w, without the oracle. Requires a cache.
  void join_cached_planes(WeightView w);

  // Bounds of the slack of an example, from the planes at the query point.
  SlackBounds bound_example(std::size_t example) const;
  // The terms of the sum over the examples that makes the joint plane, for its rounding.
  Terms terms() const;

  // The joint plane: 1/n sum over the violated examples. Under norm 2 the caller subtracts the mean
  // half square from `b`, which makes the plane a tangent.
  JointSeparation joint;

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  void ask_and_cache(const Pass& pass);
  void record_answers(std::span<const std::int64_t> examples, AnswerCounts& counts);

  CuttingPlaneContext& context_;
  JointWeight weight_;
  std::optional<PlaneCache> cache_;
  CutSample sample_;
  std::vector<Separation> answers_;  // the last answers, if there is a cache
  double largest_b_ = 0;             // the largest |b| in the current pass
};

}  // namespace sculpt::core
