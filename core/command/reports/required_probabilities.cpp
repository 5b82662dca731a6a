#include "command/reports/required_probabilities.hpp"

#include <string>

namespace sculpt::core {
namespace {

void require(const std::string& obstacle) {
  if (!obstacle.empty()) throw Failure(Exit::config, obstacle);
}

void require_known(const Probabilities& probabilities, const char* asker) {
  if (probabilities.are_known()) return;
  throw Failure(
      Exit::config,
      std::string(asker) +
          ": this model was not trained on a log-loss, so its scores are no logarithms of "
          "probabilities; train with the solver crf, or ask for the best outputs (--nbest)");
}

}  // namespace

void require_k_best(const Probabilities& probabilities) {
  require(probabilities.obstacle_to_k_best());
  if (probabilities.are_known()) require(probabilities.obstacle_to_log_z());
}

void require_draws(const Probabilities& probabilities, const char* asker) {
  require_known(probabilities, asker);
  require(probabilities.obstacle_to_draws());
}

void require_marginals(const Probabilities& probabilities, const char* asker) {
  require_known(probabilities, asker);
  require(probabilities.obstacle_to_marginals());
}

}  // namespace sculpt::core
