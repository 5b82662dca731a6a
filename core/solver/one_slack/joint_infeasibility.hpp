// joint_infeasibility.hpp - what proves that nothing separates the examples, out of the joint
// planes of one_slack.
//
// Held by one_slack, which tells it of every joint plane under hard margin. A joint plane proves
// nothing of a single example: those that have a part in planes with alpha are asked once more, for
// planes of their own.
#pragma once

#include <span>
#include <vector>

#include "solver/cutting_plane/cutting_plane_parts.hpp"
#include "solver/cutting_plane/inseparable.hpp"
#include "solver/one_slack/plane_origins.hpp"

namespace sculpt::core {

class JointInfeasibility {
 public:
  // The parts outlive it.
  explicit JointInfeasibility(CuttingPlaneContext& parts) : context_(parts) {}

  // A plane of this name has come, made of the examples whose b - <w, a> in `low` [n] are above 0;
  // others may have gone.
  void note(std::uint64_t name, std::span<const double> low) {
    origins_.keep(block());  // right before a mark, as whatever it saves changes
    origins_.add(name, low);
  }
  InfeasiblePlanes planes() const { return fresh(infeasible_examples(carried())); }
  // Throws, as the QP has proved that nothing separates.
  void refuse(double separation_floor) const;

  void save(StateWriter& out) const { origins_.save(out); }
  // `all`: what it says has to be about every plane there is.
  void load(StateReader& in, bool all);

 private:
  const Block& block() const { return context_.working_set.block(0); }
  std::vector<double> carried() const {
    return origins_.carried(block(), context_.source.example_count());
  }
  InfeasiblePlanes fresh(std::span<const std::int64_t> examples) const {
    return ask_for_planes(context_.pass_controller, context_.source, context_.working_set.w(),
                          examples);
  }

  CuttingPlaneContext& context_;
  PlaneOrigins origins_;
};

}  // namespace sculpt::core
