#include "problem/oracle/separation_strategy.hpp"

namespace sculpt::core {

SeparationStrategy choose_strategy(const Formulation& formulation, const Oracle& oracle) {
  const std::string& loss_obstacle = oracle.obstacle_to_loss();
  // Frontiers exist only for exact outputs, and give no bound for relaxed ones.
  const std::string frontier_obstacle =
      oracle.relaxes()
          ? oracle.component().name() + " gives relaxed answers, and frontiers have none"
          : oracle.obstacle_to_frontier();
  if (formulation.needs_one_argmax() && loss_obstacle.empty()) {
    return SeparationStrategy::one_argmax;
  }
  if (frontier_obstacle.empty()) return SeparationStrategy::frontier;
  if (loss_obstacle.empty()) return SeparationStrategy::loss_weight_search;
  const std::string obstacles =
      frontier_obstacle == loss_obstacle
          ? loss_obstacle + "; a frontier has the same demand"
          : loss_obstacle + ". A frontier would work instead, but " + frontier_obstacle;
  throw Failure(Exit::config,
                obstacles +
                    ". Use another loss, an oracle that supports this one, or an oracle and a "
                    "loss that offer counts (describe NAME lists what one offers)");
}

}  // namespace sculpt::core
