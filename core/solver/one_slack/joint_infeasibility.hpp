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

class JointProof {
 public:
  // The parts outlive it.
  explicit JointProof(CuttingPlaneParts& parts) : parts_(parts) {}

  // A plane of this name has come, made of the examples whose b - <w, a> in `low` [n] are above 0;
  // others may have gone.
  void note(std::uint64_t name, std::span<const double> low) {
    origins_.keep(block());  // right before a mark, as whatever it saves changes
    origins_.add(name, low);
  }
  ProofPlanes planes() const { return fresh(examples_in_proof(carried())); }
  // Throws, as the QP has proved that nothing separates.
  void refuse(double separation_floor) const;

  void save(StateWriter& out) const { origins_.save(out); }
  // `all`: what it says has to be about every plane there is.
  void load(StateReader& in, bool all);

 private:
  const Block& block() const { return parts_.working_set.block(0); }
  std::vector<double> carried() const {
    return origins_.carried(block(), parts_.source.example_count());
  }
  ProofPlanes fresh(std::span<const std::int64_t> examples) const {
    return fresh_planes(parts_.progress, parts_.source, parts_.working_set.w(), examples);
  }

  CuttingPlaneParts& parts_;
  PlaneOrigins origins_;
};

}  // namespace sculpt::core
