// The list of the k best outputs, which makes the search over loss_weight exact
// (loss_weight_search.hpp).
#include "problem/separation/loss_weight_search.hpp"
#include "problem/separation/separation_state.hpp"

namespace sculpt::core {

// Lists the k best outputs at the loss_weight of the best bound, until no other can be better.
void SeparationSolver::list_k_best(ExampleState& state, LossWeightSearch& search,
                                   MostViolated& out) {
  Oracle& oracle = separation_.oracle;
  const std::optional<double> loss_weight = search.list_loss_weight();
  const std::int64_t max_count = problem_.formulation().max_k_best;
  if (!loss_weight || max_count == 0) return;
  if (!oracle.lists_k_best() || oracle.relaxes()) return;
  state.query.loss_weight = *loss_weight;
  try {
    oracle.begin_k_best(state.worker, state.query);
  } catch (const Failure& failure) {
    if (failure.exit_code() != Exit::config) throw;
    return;  // not with this loss, or not for this graph
  }
  ++out.calls;
  for (std::int64_t k = 0; k < max_count && !search.has_proved_best(); ++k) {
    state.poll();
    Guess& guess = *state.scratch.latest;
    oracle.next_best(state.worker, state.query, guess.answer);
    if (guess.answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
      if (k > 0) return search.end_list();
      state.answer_check.refuse("lists no output, but it gave an output before");
    }
    if (!guess.answer.has_flag(SCULPT_ANSWER_EXACT)) return;
    guess.answer.raw()->flags &= ~std::uint32_t{SCULPT_ANSWER_EXACT};  // others were better
    compute_host_values(state, guess);
    state.answer_check.check_answer(guess.answer, *loss_weight, state.host_values(guess));
    const double score_difference = guess.score - state.truth_score;
    const double high = std::max(guess.answer.value() - state.truth_score,
                                 score_difference + *loss_weight * guess.loss);
    const double rounding = rounding_of_high(state, guess, *loss_weight);
    const bool is_better =
        search.add_listed({score_difference, guess.loss, high, rounding}, out.truth_outside);
    if (is_better) state.set_latest_as_best();
  }
}

}  // namespace sculpt::core
