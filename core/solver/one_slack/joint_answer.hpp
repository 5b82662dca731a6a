// joint_answer.hpp - the joint plane of all examples at one w, asked of the oracle or made of
// planes that are kept.
//
// Held by one_slack. Without a cache the source sums the answers on its way (separate_jointly).
// With one every answer's plane is kept (plane_cache.hpp), and the joint plane is that of the best
// of each example: an older plane where the oracle has missed it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/rounding.hpp"
#include "objective/certificate.hpp"
#include "objective/plane_source.hpp"
#include "solver/cutting_plane/cutting_plane_parts.hpp"
#include "solver/one_slack/one_slack.hpp"
#include "solver/one_slack/plane_cache.hpp"

namespace sculpt::core {

class JointAnswer {
 public:
  // The parts outlive it.
  JointAnswer(const OneSlackOptions& options, CuttingPlaneContext& parts);

  // Asks about all examples at the place of the pass. Throws Cancelled.
  void ask(const Pass& pass);
  bool has_cache() const { return cache_.has_value(); }
  // The joint plane of kept planes at w, in place of the answer. Requires a cache.
  void join(WeightView w);

  // What the planes at the place say of the slack of an example.
  SlackBounds bound_example(std::size_t example) const;
  // Of the sum over the examples that makes the joint plane.
  Terms terms() const;

  // 1/n sum of what examples that are violated have; the mean half square is taken off `b` by the
  // caller, as its tangent has it.
  JointSeparation joint;

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  void ask_and_keep(const Pass& pass);
  void note(std::span<const std::int64_t> examples, AnswerCounts& counts);

  CuttingPlaneContext& context_;
  JointWeight weight_;
  std::optional<PlaneCache> cache_;
  std::vector<Separation> answers_;  // asked last, where they are kept
  double largest_b_ = 0;             // of them all in the pass under way
};

}  // namespace sculpt::core
