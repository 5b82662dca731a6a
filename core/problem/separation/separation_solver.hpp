// separation_solver.hpp - finds the output of one example that violates its margin most.
//
// Called by ProblemPlanes, which makes the plane. The method is the problem's SeparationStrategy.
// Every answer is first compared with the values that the host computes for its output. If they
// differ, it throws Failure (Exit::plugin) with component and example.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/cancelled.hpp"
#include "base/infinity.hpp"
#include "linalg/weight_view.hpp"
#include "problem/problem.hpp"
#include "problem/separation/answer_check.hpp"
#include "problem/separation/loss_weight_search.hpp"

namespace sculpt::core {

// An output that an oracle gave, with the values that the host computed for it. For a relaxed
// answer, psi and loss are taken from the oracle.
struct Guess {
  Answer answer;  // its labels
  SparseVector psi;
  double score = 0;  // <w, psi>
  Terms terms;       // The terms of the score.
  double loss = 0;   // Delta.
};

struct MostViolated {
  bool no_output = false;  // Y_i is empty. The members below are unset.
  bool truth_outside = false;
  const Guess* guess = nullptr;  // nullptr: no output found violates more than the truth.
  const SparseVector* truth_psi = nullptr;  // Both are valid until this worker's next find().
  double high = 0;         // No output violates more than this. Infinite: no bound.
  double rounding = 0;     // Bound of the rounding error of `high`.
  HostValues host;         // Of the guess.
  std::int64_t calls = 0;  // Calls of argmax. A frontier query counts as one.
  bool escalated = false;  // There are several oracles, and the last was asked.
  bool inexact = false;    // An answer of argmax was not EXACT, and no frontier corrects it.
};

// Another output of the same query, below the best.
struct NextBestOutput {
  sculpt_labels labels = {};
  SparseVector psi;
  double loss = 0;
};

class SeparationSolver {
 public:
  // Requires a problem made for training. It outlives this, as do its oracles.
  SeparationSolver(Problem& problem, SeparationOracle separation);
  ~SeparationSolver();

  // Returns the most violated output found. `query` has example, truth, seed and weights, which are
  // w. Polls between calls and between slices. `stop_escalating_above` is a violation. If one
  // argmax is sufficient, a list of oracles stops above it (Oracle::argmax). [worker]
  MostViolated find(int worker, const sculpt_query& query, WeightView w,
                    double stop_escalating_above, const ThrowIfStopped& poll);

  // Returns the loss_weight of the first call of argmax in a find(). It is the same for all
  // examples. Nothing if argmax is not called. [any]
  std::optional<double> first_loss_weight() const;

  // For Oracle::announce(): what the answers of a batch are filled with. nullptr: nothing. [any]
  BatchValues* batch_values() { return batch_values_.get(); }

  // Returns the output of the largest <w, psi> + loss_weight * loss, found by one call of argmax.
  // `high` bounds this value minus the score of the truth. Requires an oracle that supports the
  // loss, unless loss_weight is 0. [worker]
  MostViolated argmax(int worker, const sculpt_query& query, WeightView w, double loss_weight,
                      double stop_escalating_above, const ThrowIfStopped& poll);

  // Returns at most `max_count` other outputs with a score + loss_weight * loss above the truth's
  // score. Only outputs that need no other call. Requires a find() or argmax() of this worker that
  // made one call of argmax and found an output. Valid until the next query of this worker.
  // [worker]
  std::span<const NextBestOutput> next_best_outputs(int worker, const sculpt_query& query,
                                                    const MostViolated& found, WeightView w,
                                                    std::int64_t max_count);

 private:
  static constexpr double unlimited = infinity;

  struct WorkerScratch;  // memory of one worker
  struct ExampleState;   // one example and its query

  ExampleState begin_example(int worker, const sculpt_query& query, WeightView w,
                             const ThrowIfStopped& poll, MostViolated& out);
  void find_by_argmax(ExampleState& state, double loss_weight, double stop_escalating_above,
                      MostViolated& out);
  bool calls_argmax_before_frontier() const;
  void search_loss_weights(ExampleState& state, MostViolated& out);
  void list_k_best(ExampleState& state, LossWeightSearch& search, MostViolated& out);
  void find_by_frontier(ExampleState& state, MostViolated& out);
  bool run_search(ExampleState& state, LossWeightSearch& search, MostViolated& out);
  void scan_frontier(ExampleState& state, double known_violation,
                     const ScoreDifferenceBound& score_bound, MostViolated& out);
  bool call_argmax(ExampleState& state, double loss_weight, MostViolated& out,
                   double stop_escalating_above = unlimited);
  void check_counts(const ExampleState& state, const Guess& guess, const Counts& counts,
                    double loss_of_counts) const;
  void ask_oracle(ExampleState& state, double stop_escalating_above, Guess& guess);
  void read_truth(ExampleState& state);
  void compute_host_values(ExampleState& state, Guess& guess);
  double violation(const ExampleState& state, const Guess& guess) const;
  void set_guess(const ExampleState& state, const Guess& guess, MostViolated& out) const;
  double rounding_of_high(const ExampleState& state, const Guess& guess, double loss_weight) const;
  void choose_best_or_truth(const ExampleState& state, MostViolated& out) const;

  Problem& problem_;
  SeparationOracle separation_;
  std::vector<std::unique_ptr<WorkerScratch>> scratches_;  // [threads]
  std::unique_ptr<BatchValues> batch_values_;              // nullptr: not offered
};

}  // namespace sculpt::core
