// mean_slack.hpp - the mean slack of all examples at one w.
//
// Asks about answers_at_a_time examples at once, in the order of the dataset. Used by the solvers
// that keep no planes: OnlineRun, generative and MomentRun. Also used by MomentVerification and
// prune.
#pragma once

#include <numeric>
#include <vector>

#include "objective/certificate.hpp"
#include "solver/answers_at_a_time.hpp"

namespace sculpt::core {

// Computes `mean`, and returns true. Returns false if the run was interrupted. ask(examples,
// answers) asks the source, and returns false if it was interrupted. on_answer(answer) is called
// for each answer.
template <class Ask, class OnAnswer>
bool sum_mean_slack(const Formulation& formulation, const ExampleSource& source,
                    std::vector<Separation>& answers, MeanSlack& mean, const Ask& ask,
                    const OnAnswer& on_answer) {
  mean = {};
  std::vector<std::int64_t> examples;
  for (std::int64_t begin = 0; begin < source.example_count(); begin += answers_at_a_time) {
    examples.resize(
        static_cast<std::size_t>(std::min(answers_at_a_time, source.example_count() - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    if (!ask(examples, answers)) return false;
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const Separation& answer = answers[k];
      on_answer(answer);
      if (answer.no_output) continue;
      const SlackBounds slack = bound_slack(
          {0, answer.low, answer.high, answer.plane.b, answer.rounding}, source, examples[k]);
      mean.low += formulation.slack_cost(slack.low);
      mean.high += formulation.slack_cost(slack.high);
      mean.slack += formulation.weighted_slack(slack.low, source.example_weight(examples[k]));
    }
  }
  mean = mean.divided_by(static_cast<double>(source.example_count()));
  return true;
}

}  // namespace sculpt::core
