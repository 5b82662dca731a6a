#include "problem/separation/separation_solver.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "problem/separation/frontier_scan.hpp"
#include "problem/separation/loss_weight_search.hpp"

namespace sculpt::core {

namespace {

// Limit of the argmax calls for one example. A search that ends by itself takes three to six.
constexpr int max_search_calls = 32;
// Limit of the argmax calls before a frontier query. They can rule out slices, and the frontier
// computes the rest.
constexpr int max_probes = 4;
// If the first count has a smaller limit, no argmax is called first.
constexpr std::int64_t few_values = 4;

bool equal(sculpt_labels a, sculpt_labels b) {
  return a.size == b.size && std::equal(a.data, a.data + a.size, b.data);
}

}  // namespace

struct SeparationSolver::WorkerScratch {
  WorkerScratch(Problem& problem, Oracle& oracle)
      : accumulator(problem.dimension()), scan(oracle, problem.formulation()) {}
  SparseAccumulator accumulator;
  SparseVector truth_psi;
  std::array<Guess, 2> guesses;
  Guess* latest = &guesses[0];  // of the last call
  Guess* best = &guesses[1];
  FrontierScan scan;
  std::vector<std::int32_t> further;  // the labels of `next_best_outputs`
  std::vector<NextBestOutput> next_best_outputs;
};

struct SeparationSolver::ExampleState {
  int worker;
  sculpt_query query;
  WeightView w;
  const ThrowIfStopped& poll;
  WorkerScratch& scratch;
  const FeatureSum* kept_truth;  // nullptr: not stored, ask the features
  double truth_score = 0;
  Terms truth_terms;

  AnswerCheck check;
  double labels() const { return static_cast<double>(query.truth.size); }
  // Features may sum over the labels before they pass entries to the host.
  Terms with_labels(Terms terms) const {
    terms.count += labels();
    return terms;
  }
  HostValues host_values(const Guess& guess) const {
    return {truth_score, guess.score, guess.loss, truth_terms, guess.terms, labels()};
  }
  void keep_latest() { std::swap(scratch.latest, scratch.best); }
};

SeparationSolver::SeparationSolver(Problem& problem, SeparationOracle asked)
    : problem_(problem), asked_(asked) {
  for (int worker = 0; worker < problem_.workers().threads(); ++worker) {
    scratches_.push_back(std::make_unique<WorkerScratch>(problem_, asked_.oracle));
  }
}

SeparationSolver::~SeparationSolver() = default;

SeparationSolver::ExampleState SeparationSolver::open(int worker, const sculpt_query& query,
                                                      WeightView w, const ThrowIfStopped& poll,
                                                      MostViolated& out) {
  WorkerScratch& scratch = *scratches_[static_cast<std::size_t>(worker)];
  const FeatureSum* const kept = problem_.truth_vector(query.example);
  out.truth_psi = kept != nullptr ? &kept->psi : &scratch.truth_psi;
  return {worker, query, w, poll, scratch, kept, 0, {}, {asked_.oracle.component(), query.example}};
}

MostViolated SeparationSolver::find(int worker, const sculpt_query& query, WeightView w,
                                    double enough, const ThrowIfStopped& poll) {
  MostViolated out;
  ExampleState one = open(worker, query, w, poll, out);
  switch (asked_.strategy) {
    case SeparationStrategy::plain:
      plain(one, 1, enough, out);
      break;
    case SeparationStrategy::search:
      search(one, out);
      break;
    case SeparationStrategy::frontier:
      frontier(one, out);
      break;
  }
  return out;
}

MostViolated SeparationSolver::argmax(int worker, const sculpt_query& query, WeightView w,
                                      double loss_weight, double enough,
                                      const ThrowIfStopped& poll) {
  MostViolated out;
  ExampleState one = open(worker, query, w, poll, out);
  plain(one, loss_weight, enough, out);
  return out;
}

void SeparationSolver::plain(ExampleState& one, double loss_weight, double enough,
                             MostViolated& out) {
  if (!ask(one, loss_weight, out, enough)) return;
  const Guess& guess = *one.scratch.latest;
  // The output is worse than the truth, which is an output too. The truth's own plane, the zero
  // plane, is better.
  const bool worse = !guess.answer.has(SCULPT_ANSWER_EXACT) && !out.truth_outside &&
                     guess.answer.value() < one.truth_score;
  const bool is_truth = !guess.answer.fractional() && equal(one.query.truth, guess.answer.labels());
  if (!worse && !is_truth) take(one, guess, out);
  out.high = guess.answer.ceiling() - one.truth_score;
  out.rounding = rounding_of_high(one, guess, loss_weight);
}

std::span<const NextBestOutput> SeparationSolver::next_best_outputs(int worker,
                                                                    const sculpt_query& query,
                                                                    const MostViolated& found,
                                                                    WeightView w,
                                                                    std::int64_t most) {
  WorkerScratch& scratch = *scratches_[static_cast<std::size_t>(worker)];
  const double truth_score = dot(*found.truth_psi, w);
  const Answer& answer = found.guess->answer;
  asked_.oracle.next_best_outputs(worker, answer, truth_score, most, scratch.further);
  const auto size = static_cast<std::size_t>(answer.labels().size);
  scratch.next_best_outputs.resize(static_cast<std::size_t>(most));
  std::size_t count = 0;
  for (std::size_t from = 0; from < scratch.further.size(); from += size) {
    const sculpt_labels labels = {scratch.further.data() + from, answer.labels().size};
    if (equal(query.truth, labels)) continue;
    NextBestOutput& one = scratch.next_best_outputs[count++];
    one.labels = labels;
    problem_.features().vector(worker, query.example, labels, Exit::plugin, scratch.accumulator,
                               one.psi);
    one.loss = problem_.loss()->of(worker, query.example, query.truth, labels);
  }
  return std::span(scratch.next_best_outputs).first(count);
}

// Bound of the rounding error of the upper bound minus the truth's score.
double SeparationSolver::rounding_of_high(const ExampleState& one, const Guess& guess,
                                          double loss_weight) const {
  const HostValues host = one.host_values(guess);
  const bool numerical = guess.answer.has(SCULPT_ANSWER_BOUND);
  return host.rounding_of_value(loss_weight) + one.truth_terms.rounding() +
         (numerical ? host.numerical(loss_weight) : 0);
}

// Calls argmax at the loss_weights of LossWeightSearch. `best` is the most violated output found.
// Returns false if there is no output.
bool SeparationSolver::probe(ExampleState& one, LossWeightSearch& search, MostViolated& out) {
  while (const std::optional<double> loss_weight = search.next()) {
    one.poll();
    if (!ask(one, *loss_weight, out)) return false;
    const Guess& guess = *one.scratch.latest;
    const double lead = guess.score - one.truth_score;
    // A value in single precision may be below the value of its own output.
    const double high =
        std::max(guess.answer.ceiling() - one.truth_score, lead + *loss_weight * guess.loss);
    const double rounding = rounding_of_high(one, guess, *loss_weight);
    if (search.add({lead, guess.loss, high, rounding}, out.truth_outside)) one.keep_latest();
  }
  return true;
}

void SeparationSolver::search(ExampleState& one, MostViolated& out) {
  LossWeightSearch search(problem_.formulation(), max_search_calls);
  if (!probe(one, search, out)) return;
  out.high = search.bound();
  out.rounding = search.rounding();
  choose_best_or_truth(one, out);
}

// Exact. Calls argmax first, so that most slices need not be computed, often none.
void SeparationSolver::frontier(ExampleState& one, MostViolated& out) {
  WorkerScratch& scratch = one.scratch;
  ScoreDifferenceBound ceiling;
  const bool probes = asked_.oracle.count_loss().counts().front().limit >= few_values;
  if (probes && asked_.oracle.obstacle_to_loss().empty()) {
    LossWeightSearch search(problem_.formulation(), max_probes);
    if (!probe(one, search, out)) return;
    ceiling = search.ceiling();
    if (search.closed()) {
      out.high = search.bound();
      out.rounding = search.rounding();
      return choose_best_or_truth(one, out);
    }
  } else if (probes) {
    if (!ask(one, 0, out)) return;
    ceiling.add(0, scratch.latest->answer.ceiling() - one.truth_score,
                rounding_of_high(one, *scratch.latest, 0));
    one.keep_latest();
  } else {
    read_truth(one);
  }
  const double seen = probes ? violation(one, *scratch.best) : -infinity;
  scan(one, seen, ceiling, out);
}

// Runs the frontier query. `seen`: the violation of `best`, minus infinity if argmax was not
// called.
void SeparationSolver::scan(ExampleState& one, double seen, const ScoreDifferenceBound& ceiling,
                            MostViolated& out) {
  WorkerScratch& scratch = one.scratch;
  Oracle& oracle = asked_.oracle;
  // The terms of an entry's score are not known. Their number and size are taken from the truth.
  const double rounding = 2 * one.truth_terms.rounding();
  const FrontierMaximum most =
      scratch.scan.run(one.worker, one.query, one.truth_score, seen, rounding, ceiling, one.poll);
  ++out.calls;
  out.no_output = most.no_output;
  out.truth_outside |= most.truth_outside;
  if (out.no_output && out.calls > 1) one.check.refuse("says NO_OUTPUT after it gave an output");
  if (out.no_output) return oracle.end_frontier(one.worker);
  if (most.complete) {
    one.check.frontier(most.largest, rounding, one.truth_score, out.truth_outside);
  }
  out.high = most.high;
  out.rounding = most.rounding;
  if (most.counts) {
    Guess& guess = *scratch.latest;
    oracle.frontier_output(one.worker, one.query.example, *most.counts, guess.answer);
    compute_host_values(one, guess);
    one.check.entry({oracle.count_loss().counts(), *most.counts, most.score, most.loss,
                     one.truth_score + ceiling.at(most.loss), ceiling.rounding_at(most.loss)},
                    one.host_values(guess));
    take(one, guess, out);
  } else if (out.truth_outside || seen > 0) {
    take(one, *scratch.best, out);
  }
  oracle.end_frontier(one.worker);
}

// Takes the best guess, unless the truth is an output and violates no less. The violation of the
// truth is 0.
void SeparationSolver::choose_best_or_truth(const ExampleState& one, MostViolated& out) const {
  const Guess& best = *one.scratch.best;
  const double violation = this->violation(one, best);
  const PlaneScale scale = problem_.formulation().plane_of(best.loss);
  const double rounding = one.host_values(best).rounding_of_plane(scale.factor);
  one.check.bound(violation, out.high, out.rounding + rounding);
  if (out.truth_outside || violation > 0) take(one, best, out);
}

double SeparationSolver::violation(const ExampleState& one, const Guess& guess) const {
  return problem_.formulation().violation(guess.loss, guess.score - one.truth_score);
}

void SeparationSolver::take(const ExampleState& one, const Guess& guess, MostViolated& out) const {
  out.guess = &guess;
  out.host = one.host_values(guess);
}

// Calls argmax once and writes the output to `latest`. Returns false if there is no output.
bool SeparationSolver::ask(ExampleState& one, double loss_weight, MostViolated& out,
                           double enough) {
  Guess& guess = *one.scratch.latest;
  one.query.loss_weight = loss_weight;
  const bool first = out.calls == 0;
  // `enough` is a violation. Adding the truth's score makes it a value for the oracle.
  if (enough < unlimited) read_truth(one);
  question(one, one.truth_score + enough, guess);
  out.calls += guess.answer.origin.calls;
  out.escalated |= guess.answer.origin.escalated;
  one.check = {*guess.answer.origin.giver, one.query.example};
  out.no_output = guess.answer.has(SCULPT_ANSWER_NO_OUTPUT);
  if (out.no_output && !first) one.check.refuse("says NO_OUTPUT after it gave an output");
  out.truth_outside |= guess.answer.has(SCULPT_ANSWER_TRUTH_OUTSIDE);
  if (out.no_output) return false;
  if (first && enough == unlimited) read_truth(one);
  compute_host_values(one, guess);
  one.check.answer(guess.answer, loss_weight, one.host_values(guess));
  return true;
}

void SeparationSolver::question(ExampleState& one, double enough, Guess& guess) {
  Oracle& oracle = asked_.oracle;
  if (!oracle.relaxes()) return oracle.argmax(one.worker, one.query, guess.answer, enough);
  oracle.relaxed(one.worker, one.query, one.scratch.accumulator, guess.psi, guess.answer, enough);
  if (guess.answer.fractional()) {
    guess.terms = one.with_labels(one.scratch.accumulator.terms(one.w.dense()));
  }
}

void SeparationSolver::read_truth(ExampleState& one) {
  if (const FeatureSum* const kept = one.kept_truth) {
    one.truth_score = dot(kept->psi, one.w);
    one.truth_terms = one.with_labels(terms_of(kept->psi, kept->cancelled, one.w.dense()));
    return;
  }
  SparseVector& read = one.scratch.truth_psi;
  problem_.features().vector(one.worker, one.query.example, one.query.truth, Exit::plugin,
                             one.scratch.accumulator, read);
  one.truth_score = dot(read, one.w);
  // Computed as for a stored truth. Which truths are stored depends on the order of threads, but
  // results must not.
  const CancelledTerms cancelled = one.scratch.accumulator.cancelled(read);
  one.truth_terms = one.with_labels(terms_of(read, cancelled, one.w.dense()));
}

void SeparationSolver::compute_host_values(ExampleState& one, Guess& guess) {
  if (guess.answer.fractional()) {
    guess.score = dot(guess.psi, one.w);
    guess.loss = guess.answer.origin.loss;
    return;
  }
  const sculpt_labels labels = guess.answer.labels();
  problem_.features().vector(one.worker, one.query.example, labels, Exit::plugin,
                             one.scratch.accumulator, guess.psi);
  guess.score = dot(guess.psi, one.w);
  guess.terms = one.with_labels(one.scratch.accumulator.terms(one.w.dense()));
  guess.loss = problem_.loss()->of(one.worker, one.query.example, one.query.truth, labels);
}

}  // namespace sculpt::core
