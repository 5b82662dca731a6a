#include "solver/one_slack/joint_infeasibility.hpp"

namespace sculpt::core {

void JointInfeasibility::refuse_data(double separation_floor) const {
  refuse_inseparable(
      context_.source, context_.working_set, separation_floor, alpha_of_examples(),
      [this](std::span<const std::int64_t> examples) { return ask_for_own_planes(examples); });
}

void JointInfeasibility::load(StateReader& in, bool requires_all) {
  origins_.load(in, context_.source.example_count());
  if (requires_all) origins_.require_all(in, block());
}

}  // namespace sculpt::core
