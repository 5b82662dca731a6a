// output_finder.hpp - the output of one example that violates its margin most.
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

struct Finding {
  bool no_output = false;  // Y_i is empty; nothing below means anything
  bool truth_outside = false;
  const Guess* guess = nullptr;             // nullptr: no output found violates more than the truth
  const SparseVector* truth_psi = nullptr;  // both belong to the worker until its next find()
  double high = 0;         // no output violates more than this; infinite: the oracle cannot say
  double rounding = 0;     // by how much rounding may move that
  Appraisal host;          // of the guess
  std::int64_t calls = 0;  // of argmax; a conversation about a frontier is one
  bool escalated = false;  // of several oracles the last was asked
};

// A further output.
struct FurtherOutput {
  sculpt_labels labels = {};
  SparseVector psi;
  double loss = 0;
};

class OutputFinder {
 public:
  // Requires a problem made for training, and one of its oracles; it outlives the finder.
  OutputFinder(Problem& problem, SeparationOracle asked);
  ~OutputFinder();

  // `query` has example, truth, seed and weights, which are w. Polls between the calls and slices
  // that the example takes. Where one argmax answers, several oracles go no further than `enough`,
  // a violation (Oracle::argmax). [worker]
  Finding find(int worker, const sculpt_query& query, WeightView w, double enough,
               const StopPoll& poll);

  // The output of the largest <w, psi> + loss_weight * loss, by one call of argmax; `high` is of
  // this less the score of the truth. Requires that nothing keeps the oracle from the loss_weight.
  // [worker]
  Finding argmax(int worker, const sculpt_query& query, WeightView w, double loss_weight,
                 double enough, const StopPoll& poll);

  // Behind a find() or argmax() of this worker that asked one argmax and found an output: at most
  // `most` other outputs of a larger score + loss_weight * loss than the truth's score, as far as
  // they are known without another call. Until the next question. [worker]
  std::span<const FurtherOutput> further_outputs(int worker, const sculpt_query& query,
                                                 const Finding& found, WeightView w,
                                                 std::int64_t most);

 private:
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  struct Bench;  // what one worker works with
  struct Case;   // one question

  Case open(int worker, const sculpt_query& query, WeightView w, const StopPoll& poll,
            Finding& out);
  void plain(Case& one, double loss_weight, double enough, Finding& out);
  void search(Case& one, Finding& out);
  void frontier(Case& one, Finding& out);
  bool probe(Case& one, PlaneSearch& search, Finding& out);
  void scan(Case& one, double seen, const LeadCeiling& ceiling, Finding& out);
  bool ask(Case& one, double loss_weight, Finding& out, double enough = unlimited);
  void question(Case& one, double enough, Guess& guess);
  void read_truth(Case& one);
  void appraise(Case& one, Guess& guess);
  double violation(const Case& one, const Guess& guess) const;
  void take(const Case& one, const Guess& guess, Finding& out) const;
  double rounding_of_high(const Case& one, const Guess& guess, double loss_weight) const;
  void settle(const Case& one, Finding& out) const;

  Problem& problem_;
  SeparationOracle asked_;
  std::vector<std::unique_ptr<Bench>> benches_;  // [threads]
};

}  // namespace sculpt::core
