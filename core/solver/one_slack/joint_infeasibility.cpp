#include "solver/one_slack/joint_infeasibility.hpp"

namespace sculpt::core {

void JointInfeasibility::refuse(double separation_floor) const {
  refuse_inseparable(context_.source, context_.working_set, separation_floor, carried(),
                     [this](std::span<const std::int64_t> examples) { return fresh(examples); });
}

void JointInfeasibility::load(StateReader& in, bool all) {
  origins_.load(in, context_.source.example_count());
  if (all) origins_.require_all(in, block());
}

}  // namespace sculpt::core
