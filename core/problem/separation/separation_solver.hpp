// separation_solver.hpp - the output of one example that violates its margin most.
//
// Called by ProblemPlanes, which makes the plane. How it is found is the problem's
// SeparationStrategy. Every answer is checked against what the host computes of its output before
// it is believed; what fails is a Failure (Exit::plugin) that names component and example.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "base/cancelled.hpp"
#include "linalg/weight_view.hpp"
#include "problem/problem.hpp"
#include "problem/separation/answer_check.hpp"
#include "problem/separation/loss_weight_search.hpp"

namespace sculpt::core {

// An output that an oracle gave, and what the host computed of it; or a relaxed answer, whose psi
// and loss are the oracle's word.
struct Guess {
  Answer answer;  // its labels
  SparseVector psi;
  double score = 0;  // <w, psi>
  Terms terms;       // of the score
  double loss = 0;   // Delta
};

struct MostViolated {
  bool no_output = false;  // Y_i is empty; nothing below means anything
  bool truth_outside = false;
  const Guess* guess = nullptr;             // nullptr: no output found violates more than the truth
  const SparseVector* truth_psi = nullptr;  // both belong to the worker until its next find()
  double high = 0;         // no output violates more than this; infinite: the oracle cannot say
  double rounding = 0;     // by how much rounding may move that
  HostValues host;         // of the guess
  std::int64_t calls = 0;  // of argmax; a conversation about a frontier is one
  bool escalated = false;  // of several oracles the last was asked
};

// A further output.
struct NextBestOutput {
  sculpt_labels labels = {};
  SparseVector psi;
  double loss = 0;
};

class SeparationSolver {
 public:
  // Requires a problem made for training, and one of its oracles; it outlives the finder.
  SeparationSolver(Problem& problem, SeparationOracle asked);
  ~SeparationSolver();

  // `query` has example, truth, seed and weights, which are w. Polls between the calls and slices
  // that the example takes. Where one argmax answers, several oracles go no further than `enough`,
  // a violation (Oracle::argmax). [worker]
  MostViolated find(int worker, const sculpt_query& query, WeightView w, double enough,
                    const ThrowIfStopped& poll);

  // The output of the largest <w, psi> + loss_weight * loss, by one call of argmax; `high` is of
  // this less the score of the truth. Requires that nothing keeps the oracle from the loss_weight.
  // [worker]
  MostViolated argmax(int worker, const sculpt_query& query, WeightView w, double loss_weight,
                      double enough, const ThrowIfStopped& poll);

  // Behind a find() or argmax() of this worker that asked one argmax and found an output: at most
  // `most` other outputs of a larger score + loss_weight * loss than the truth's score, as far as
  // they are known without another call. Until the next question. [worker]
  std::span<const NextBestOutput> next_best_outputs(int worker, const sculpt_query& query,
                                                    const MostViolated& found, WeightView w,
                                                    std::int64_t most);

 private:
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  struct WorkerScratch;  // what one worker works with
  struct ExampleState;   // one question

  ExampleState open(int worker, const sculpt_query& query, WeightView w, const ThrowIfStopped& poll,
                    MostViolated& out);
  void plain(ExampleState& one, double loss_weight, double enough, MostViolated& out);
  void search(ExampleState& one, MostViolated& out);
  void frontier(ExampleState& one, MostViolated& out);
  bool probe(ExampleState& one, LossWeightSearch& search, MostViolated& out);
  void scan(ExampleState& one, double seen, const ScoreDifferenceBound& ceiling, MostViolated& out);
  bool ask(ExampleState& one, double loss_weight, MostViolated& out, double enough = unlimited);
  void question(ExampleState& one, double enough, Guess& guess);
  void read_truth(ExampleState& one);
  void compute_host_values(ExampleState& one, Guess& guess);
  double violation(const ExampleState& one, const Guess& guess) const;
  void take(const ExampleState& one, const Guess& guess, MostViolated& out) const;
  double rounding_of_high(const ExampleState& one, const Guess& guess, double loss_weight) const;
  void choose_best_or_truth(const ExampleState& one, MostViolated& out) const;

  Problem& problem_;
  SeparationOracle asked_;
  std::vector<std::unique_ptr<WorkerScratch>> scratches_;  // [threads]
};

}  // namespace sculpt::core
