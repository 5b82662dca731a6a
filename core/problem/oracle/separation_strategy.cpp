#include "problem/oracle/separation_strategy.hpp"

namespace sculpt::core {

SeparationStrategy choose_strategy(const Formulation& formulation, const Oracle& oracle) {
  const std::string& no_loss = oracle.obstacle_to_loss();
  // Frontiers exist only for exact outputs, and give no bound for relaxed ones.
  const std::string no_frontier =
      oracle.relaxes() ? oracle.component().name() + " gives relaxed answers, which it has none of"
                       : oracle.obstacle_to_frontier();
  if (formulation.needs_one_argmax() && no_loss.empty()) return SeparationStrategy::plain;
  if (no_frontier.empty()) return SeparationStrategy::frontier;
  if (no_loss.empty()) return SeparationStrategy::search;
  throw Failure(Exit::config,
                no_loss + "; a frontier would do without, but " + no_frontier +
                    "; choose another loss, an oracle that knows this one, or an oracle and a "
                    "loss that count together (describe NAME lists what one offers)");
}

}  // namespace sculpt::core
