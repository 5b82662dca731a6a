#include "problem/separation/separation_solver.hpp"

#include <algorithm>
#include <utility>

#include "linalg/products.hpp"
#include "problem/separation/loss_weight_search.hpp"
#include "problem/separation/separation_state.hpp"

namespace sculpt::core {

namespace {

// Limit of the argmax calls for one example. A search that ends by itself takes three to six.
constexpr int max_search_calls = 32;
// Limit of the argmax calls before a frontier query. They can rule out slices, and the frontier
// computes the rest.
constexpr int max_calls_before_frontier = 4;
// If the first count has a smaller limit, no argmax is called first.
constexpr std::int64_t few_values = 4;

bool equal(sculpt_labels a, sculpt_labels b) {
  return a.size == b.size && std::equal(a.data, a.data + a.size, b.data);
}

}  // namespace

SeparationSolver::SeparationSolver(Problem& problem, SeparationOracle separation)
    : problem_(problem), separation_(separation) {
  for (int worker = 0; worker < problem_.workers().threads(); ++worker) {
    scratches_.push_back(std::make_unique<WorkerScratch>(problem_, separation_.oracle));
  }
  auto values = std::make_unique<BatchValues>(problem_.features(), problem_.loss(),
                                              problem_.dimension(), problem_.workers().threads());
  if (values->adds_psi() || values->adds_losses()) batch_values_ = std::move(values);
}

SeparationSolver::~SeparationSolver() = default;

SeparationSolver::ExampleState SeparationSolver::begin_example(int worker,
                                                               const sculpt_query& query,
                                                               WeightView w,
                                                               const ThrowIfStopped& poll,
                                                               MostViolated& out) {
  WorkerScratch& scratch = *scratches_[static_cast<std::size_t>(worker)];
  const FeatureSum* const stored = problem_.truth_vector(query.example);
  out.truth_psi = stored != nullptr ? &stored->psi : &scratch.truth_psi;
  const AnswerCheck answer_check(separation_.oracle.component(), query.example);
  return {worker, query, w, poll, scratch, stored, 0, {}, answer_check};
}

MostViolated SeparationSolver::find(int worker, const sculpt_query& query, WeightView w,
                                    double stop_escalating_above, const ThrowIfStopped& poll) {
  MostViolated out;
  ExampleState state = begin_example(worker, query, w, poll, out);
  switch (separation_.strategy) {
    case SeparationStrategy::one_argmax:
      find_by_argmax(state, 1, stop_escalating_above, out);
      break;
    case SeparationStrategy::loss_weight_search:
      search_loss_weights(state, out);
      break;
    case SeparationStrategy::frontier:
      find_by_frontier(state, out);
      break;
  }
  return out;
}

std::optional<double> SeparationSolver::first_loss_weight() const {
  if (separation_.strategy == SeparationStrategy::one_argmax) return 1;
  if (separation_.strategy == SeparationStrategy::frontier) {
    if (!calls_argmax_before_frontier()) return std::nullopt;
    if (!separation_.oracle.obstacle_to_loss().empty()) return 0;
  }
  return LossWeightSearch(problem_.formulation(), 1).next_loss_weight();
}

MostViolated SeparationSolver::argmax(int worker, const sculpt_query& query, WeightView w,
                                      double loss_weight, double stop_escalating_above,
                                      const ThrowIfStopped& poll) {
  MostViolated out;
  ExampleState state = begin_example(worker, query, w, poll, out);
  find_by_argmax(state, loss_weight, stop_escalating_above, out);
  return out;
}

void SeparationSolver::find_by_argmax(ExampleState& state, double loss_weight,
                                      double stop_escalating_above, MostViolated& out) {
  if (!call_argmax(state, loss_weight, out, stop_escalating_above)) return;
  const Guess& guess = *state.scratch.latest;
  // The output is worse than the truth, which is an output too. The truth's own plane, the zero
  // plane, is better.
  const bool is_worse = !guess.answer.has_flag(SCULPT_ANSWER_EXACT) && !out.truth_outside &&
                        guess.answer.value() < state.truth_score;
  const bool is_truth =
      !guess.answer.fractional() && equal(state.query.truth, guess.answer.labels());
  if (!is_worse && !is_truth) set_guess(state, guess, out);
  out.high = guess.answer.upper_bound() - state.truth_score;
  out.rounding = rounding_of_high(state, guess, loss_weight);
}

std::span<const NextBestOutput> SeparationSolver::next_best_outputs(int worker,
                                                                    const sculpt_query& query,
                                                                    const MostViolated& found,
                                                                    WeightView w,
                                                                    std::int64_t max_count) {
  WorkerScratch& scratch = *scratches_[static_cast<std::size_t>(worker)];
  const double truth_score = dot(*found.truth_psi, w);
  const Answer& answer = found.guess->answer;
  separation_.oracle.next_best_outputs(worker, answer, truth_score, max_count,
                                       scratch.next_best_labels);
  const auto size = static_cast<std::size_t>(answer.labels().size);
  scratch.next_best_outputs.resize(static_cast<std::size_t>(max_count));
  std::size_t count = 0;
  for (std::size_t from = 0; from < scratch.next_best_labels.size(); from += size) {
    const sculpt_labels labels = {scratch.next_best_labels.data() + from, answer.labels().size};
    if (equal(query.truth, labels)) continue;
    NextBestOutput& output = scratch.next_best_outputs[count++];
    output.labels = labels;
    problem_.features().vector(worker, query.example, labels, Exit::plugin, scratch.accumulator,
                               output.psi);
    output.loss = problem_.loss()->value(worker, query.example, query.truth, labels);
  }
  return std::span(scratch.next_best_outputs).first(count);
}

// Bound of the rounding error of the upper bound minus the truth's score.
double SeparationSolver::rounding_of_high(const ExampleState& state, const Guess& guess,
                                          double loss_weight) const {
  const HostValues host = state.host_values(guess);
  const bool is_numerical = guess.answer.has_flag(SCULPT_ANSWER_BOUND);
  return host.rounding_of_value(loss_weight) + state.truth_terms.rounding() +
         (is_numerical ? host.tolerance_of_method(loss_weight) : 0);
}

// Calls argmax at the loss_weights of LossWeightSearch. `best` is the most violated output found.
// Returns false if there is no output.
bool SeparationSolver::run_search(ExampleState& state, LossWeightSearch& search,
                                  MostViolated& out) {
  while (const std::optional<double> loss_weight = search.next_loss_weight()) {
    state.poll();
    if (!call_argmax(state, *loss_weight, out)) return false;
    const Guess& guess = *state.scratch.latest;
    const double score_difference = guess.score - state.truth_score;
    // A value in single precision may be below the value of its own output.
    const double high = std::max(guess.answer.upper_bound() - state.truth_score,
                                 score_difference + *loss_weight * guess.loss);
    const double rounding = rounding_of_high(state, guess, *loss_weight);
    const bool is_better =
        search.add_result({score_difference, guess.loss, high, rounding}, out.truth_outside);
    if (is_better) state.set_latest_as_best();
  }
  return true;
}

void SeparationSolver::search_loss_weights(ExampleState& state, MostViolated& out) {
  LossWeightSearch search(problem_.formulation(), max_search_calls);
  if (!run_search(state, search, out)) return;
  list_k_best(state, search, out);
  out.high = search.bound();
  out.rounding = search.rounding();
  choose_best_or_truth(state, out);
}

bool SeparationSolver::calls_argmax_before_frontier() const {
  return separation_.oracle.count_loss().counts().front().limit >= few_values;
}

// Exact. Calls argmax first, so that most slices need not be computed, often none.
void SeparationSolver::find_by_frontier(ExampleState& state, MostViolated& out) {
  WorkerScratch& scratch = state.scratch;
  ScoreDifferenceBound score_bound;
  const bool calls_argmax = calls_argmax_before_frontier();
  if (calls_argmax && separation_.oracle.obstacle_to_loss().empty()) {
    LossWeightSearch search(problem_.formulation(), max_calls_before_frontier);
    if (!run_search(state, search, out)) return;
    score_bound = search.score_bound();
    if (search.has_proved_best()) {
      out.high = search.bound();
      out.rounding = search.rounding();
      return choose_best_or_truth(state, out);
    }
  } else if (calls_argmax) {
    if (!call_argmax(state, 0, out)) return;
    score_bound.add(0, scratch.latest->answer.upper_bound() - state.truth_score,
                    rounding_of_high(state, *scratch.latest, 0));
    state.set_latest_as_best();
  } else {
    read_truth(state);
  }
  const double known_violation = calls_argmax ? violation(state, *scratch.best) : -infinity;
  scan_frontier(state, known_violation, score_bound, out);
}

// Runs the frontier query. `known_violation`: the violation of `best`, minus infinity if argmax was
// not called.
void SeparationSolver::scan_frontier(ExampleState& state, double known_violation,
                                     const ScoreDifferenceBound& score_bound, MostViolated& out) {
  WorkerScratch& scratch = state.scratch;
  Oracle& oracle = separation_.oracle;
  // The terms of an entry's score are not known. Their number and size are taken from the truth.
  const double rounding = 2 * state.truth_terms.rounding();
  const FrontierMaximum maximum =
      scratch.frontier_scan.run(state.worker, state.query, state.truth_score, known_violation,
                                rounding, score_bound, state.poll);
  ++out.calls;
  out.inexact = false;
  out.no_output = maximum.no_output;
  out.truth_outside |= maximum.truth_outside;
  if (out.no_output && out.calls > 1) {
    state.answer_check.refuse("sets NO_OUTPUT, but it gave an output before");
  }
  if (out.no_output) return oracle.end_frontier(state.worker);
  if (maximum.complete) {
    state.answer_check.check_frontier(maximum.largest, rounding, state.truth_score,
                                      out.truth_outside);
  }
  out.high = maximum.high;
  out.rounding = maximum.rounding;
  if (maximum.counts) {
    Guess& guess = *scratch.latest;
    oracle.frontier_output(state.worker, state.query.example, *maximum.counts, guess.answer);
    compute_host_values(state, guess);
    const AnswerCheck::Entry entry = {oracle.count_loss().counts(),
                                      *maximum.counts,
                                      maximum.score,
                                      maximum.loss,
                                      state.truth_score + score_bound.at(maximum.loss),
                                      score_bound.rounding_at(maximum.loss)};
    state.answer_check.check_entry(entry, state.host_values(guess));
    check_counts(state, guess, *maximum.counts, maximum.loss);
    set_guess(state, guess, out);
  } else if (out.truth_outside || known_violation > 0) {
    set_guess(state, *scratch.best, out);
  }
  oracle.end_frontier(state.worker);
}

// Compares the loss of an output of a frontier with the loss of its counts. The counts of the
// output itself tell which component is wrong. Under --guard they must always be those of the
// entry.
void SeparationSolver::check_counts(const ExampleState& state, const Guess& guess,
                                    const Counts& counts, double loss_of_counts) const {
  CountedOutput output = {separation_.oracle.count_loss().counts(), counts};
  output.loss = guess.loss;
  output.loss_of_counts = loss_of_counts;
  output.labels = state.labels();
  OutputCounts* const known = problem_.output_counts();
  if (known != nullptr && (problem_.services().is_guarded() || differ(output))) {
    output.actual =
        known->of(state.worker, state.query.example, state.query.truth, guess.answer.labels());
  }
  require_counts(separation_.oracle.component(), problem_.loss()->component(), state.query.example,
                 output);
}

// Sets the best guess, unless the truth is an output and violates no less. The violation of the
// truth is 0.
void SeparationSolver::choose_best_or_truth(const ExampleState& state, MostViolated& out) const {
  const Guess& best = *state.scratch.best;
  const double violation = this->violation(state, best);
  const PlaneScale scale = problem_.formulation().plane_of(best.loss);
  const double rounding = state.host_values(best).rounding_of_plane(scale.factor);
  state.answer_check.check_bound(violation, out.high, out.rounding + rounding);
  if (out.truth_outside || violation > 0) set_guess(state, best, out);
}

double SeparationSolver::violation(const ExampleState& state, const Guess& guess) const {
  return problem_.formulation().violation(guess.loss, guess.score - state.truth_score);
}

void SeparationSolver::set_guess(const ExampleState& state, const Guess& guess,
                                 MostViolated& out) const {
  out.guess = &guess;
  out.host = state.host_values(guess);
}

// Calls argmax once and writes the output to `latest`. Returns false if there is no output.
bool SeparationSolver::call_argmax(ExampleState& state, double loss_weight, MostViolated& out,
                                   double stop_escalating_above) {
  Guess& guess = *state.scratch.latest;
  state.query.loss_weight = loss_weight;
  const bool is_first = out.calls == 0;
  // A violation plus the truth's score is a value of the oracle.
  if (stop_escalating_above < unlimited) read_truth(state);
  ask_oracle(state, state.truth_score + stop_escalating_above, guess);
  out.calls += guess.answer.info.calls;
  out.escalated |= guess.answer.info.escalated;
  state.answer_check = {*guess.answer.info.oracle, state.query.example};
  out.no_output = guess.answer.has_flag(SCULPT_ANSWER_NO_OUTPUT);
  if (out.no_output && !is_first) {
    state.answer_check.refuse("sets NO_OUTPUT, but it gave an output before");
  }
  out.truth_outside |= guess.answer.has_flag(SCULPT_ANSWER_TRUTH_OUTSIDE);
  if (out.no_output) return false;
  out.inexact |= !guess.answer.has_flag(SCULPT_ANSWER_EXACT);
  if (is_first && stop_escalating_above == unlimited) read_truth(state);
  compute_host_values(state, guess);
  state.answer_check.check_answer(guess.answer, loss_weight, state.host_values(guess));
  OutputCounts* const counts = problem_.output_counts();
  if (counts != nullptr && problem_.services().is_guarded() && !guess.answer.fractional()) {
    counts->require_loss_of_counts(state.worker, state.query.example, state.query.truth,
                                   guess.answer.labels(), guess.loss);
  }
  return true;
}

void SeparationSolver::ask_oracle(ExampleState& state, double stop_escalating_above, Guess& guess) {
  Oracle& oracle = separation_.oracle;
  if (!oracle.relaxes()) {
    return oracle.argmax(state.worker, state.query, guess.answer, stop_escalating_above);
  }
  oracle.relaxed(state.worker, state.query, state.scratch.accumulator, guess.psi, guess.answer,
                 stop_escalating_above);
  if (guess.answer.fractional()) {
    guess.terms = state.with_labels(state.scratch.accumulator.terms(state.w.dense()));
  }
}

void SeparationSolver::read_truth(ExampleState& state) {
  if (const FeatureSum* const stored = state.stored_truth) {
    state.truth_score = dot(stored->psi, state.w);
    state.truth_terms =
        state.with_labels(terms_of(stored->psi, stored->cancelling, state.w.dense()));
    return;
  }
  SparseVector& truth_psi = state.scratch.truth_psi;
  problem_.features().vector(state.worker, state.query.example, state.query.truth, Exit::plugin,
                             state.scratch.accumulator, truth_psi);
  state.truth_score = dot(truth_psi, state.w);
  // Computed as for a stored truth. Which truths are stored depends on the order of threads, but
  // results must not.
  const CancellingTerms cancelling = state.scratch.accumulator.cancelling(truth_psi);
  state.truth_terms = state.with_labels(terms_of(truth_psi, cancelling, state.w.dense()));
}

void SeparationSolver::compute_host_values(ExampleState& state, Guess& guess) {
  if (guess.answer.fractional()) {
    guess.score = dot(guess.psi, state.w);
    guess.loss = guess.answer.info.loss;
    return;
  }
  const sculpt_labels labels = guess.answer.labels();
  OutputValues& known = guess.answer.values;
  if (known.has_psi) {
    std::swap(guess.psi, known.psi);
    known.has_psi = false;
    guess.terms = state.with_labels(known.terms);
  } else {
    problem_.features().vector(state.worker, state.query.example, labels, Exit::plugin,
                               state.scratch.accumulator, guess.psi);
    guess.terms = state.with_labels(state.scratch.accumulator.terms(state.w.dense()));
  }
  guess.score = dot(guess.psi, state.w);
  guess.loss = known.loss ? *known.loss
                          : problem_.loss()->value(state.worker, state.query.example,
                                                   state.query.truth, labels);
  known.loss.reset();
}

}  // namespace sculpt::core
