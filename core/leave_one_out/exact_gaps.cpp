#include "leave_one_out/exact_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "solver/answers_at_a_time.hpp"

namespace sculpt::core {
namespace {

// Without an upper bound of the slack nothing is known of the gap, and another answer might change
// each output.
void require_exact(const Problem& problem, const Separation& answer, std::int64_t example) {
  if (!answer.inexact && !answer.fractional && std::isfinite(answer.high)) return;
  throw Failure(Exit::config,
                "loo needs an exact oracle, but the answer about example " +
                    std::to_string(problem.training()[example]) +
                    " is not proved to be the best output; train with an exact oracle, or estimate "
                    "the loss by folds: sculpt sweep --folds 10");
}

}  // namespace

ExactGaps exact_gaps(const Problem& problem, PlaneSource& source, WorkingSet& planes,
                     const StopRequest& stop) {
  planes.make_exact();
  planes.refresh();
  ExactGaps out;
  Pass pass(1, stop);
  pass.makes_steps = false;
  std::vector<Separation> answers;
  std::vector<std::int64_t> examples;
  const WeightView w = planes.complete_w();
  const std::int64_t count = source.example_count();
  for (std::int64_t begin = 0; begin < count; begin += answers_at_a_time) {
    examples.resize(static_cast<std::size_t>(std::min(answers_at_a_time, count - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    source.separate(w, examples, pass, answers);
    for (std::size_t k = 0; k < answers.size(); ++k) {
      const Separation& answer = answers[k];
      if (!answer.no_output) require_exact(problem, answer, examples[k]);
      out.slack.push_back(std::max(planes.slack_of(examples[k], w), answer.high + answer.rounding));
    }
  }
  out.gaps = block_gaps(planes, out.slack);
  return out;
}

}  // namespace sculpt::core
