// joint_infeasibility.hpp - finds the examples that make hard margins infeasible, from joint
// planes.
//
// Held by one_slack, which passes every joint plane to it under hard margin. A joint plane proves
// nothing about a single example. So the examples in planes with alpha > 0 are asked once more,
// each for its own plane.
#pragma once

#include <span>
#include <vector>

#include "solver/cutting_plane/cutting_plane_context.hpp"
#include "solver/cutting_plane/inseparable.hpp"
#include "solver/one_slack/plane_origins.hpp"

namespace sculpt::core {

class JointInfeasibility {
 public:
  // The context must outlive it.
  explicit JointInfeasibility(CuttingPlaneContext& context) : context_(context) {}

  // Records a new plane with this key. It is made of the examples with violation[i] > 0, where
  // `violation` [n] is b - <w, a> of each. Forgets planes that were dropped. Call it only right
  // before a resume point, because it changes saved state.
  void add_plane(std::uint64_t key, std::span<const double> violation) {
    origins_.forget_dropped(block());
    origins_.add(key, violation);
  }
  // Asks for the own planes of the infeasible_examples(), to search them for a contradiction. Fewer
  // planes if the run is interrupted.
  InfeasiblePlanes contradiction_candidates() const {
    return ask_for_own_planes(infeasible_examples(alpha_of_examples()));
  }
  // Throws through PlaneSource::report_inseparable(), as refuse_inseparable() does. Call it if the
  // QP has proved that no short w separates the data.
  void refuse_data(double separation_floor) const;

  void save(StateWriter& out) const { origins_.save(out); }
  // `requires_all`: the state must contain every plane of the block.
  void load(StateReader& in, bool requires_all);

 private:
  const Block& block() const { return context_.working_set.block(0); }
  std::vector<double> alpha_of_examples() const {
    return origins_.alpha_of_examples(block(), context_.source.example_count());
  }
  // Asks the oracle about these examples, each for its own plane.
  InfeasiblePlanes ask_for_own_planes(std::span<const std::int64_t> examples) const {
    return ask_for_planes(context_.pass_controller, context_.source,
                          context_.working_set.complete_w(), examples);
  }

  CuttingPlaneContext& context_;
  PlaneOrigins origins_;
};

}  // namespace sculpt::core
