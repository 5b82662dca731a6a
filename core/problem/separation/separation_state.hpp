// separation_state.hpp - what SeparationSolver holds for each worker, and for the example that it
// works on.
//
// Included by its sources alone.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "problem/separation/frontier_scan.hpp"
#include "problem/separation/separation_solver.hpp"

namespace sculpt::core {

struct SeparationSolver::WorkerScratch {
  WorkerScratch(Problem& problem, Oracle& oracle)
      : accumulator(problem.dimension()), frontier_scan(oracle, problem.formulation()) {}
  SparseAccumulator accumulator;
  SparseVector truth_psi;
  std::array<Guess, 2> guesses;
  Guess* latest = &guesses[0];  // of the last call
  Guess* best = &guesses[1];
  FrontierScan frontier_scan;
  std::vector<std::int32_t> next_best_labels;  // of all `next_best_outputs`
  std::vector<NextBestOutput> next_best_outputs;
};

struct SeparationSolver::ExampleState {
  int worker;
  sculpt_query query;
  WeightView w;
  const ThrowIfStopped& poll;
  WorkerScratch& scratch;
  const FeatureSum* stored_truth;  // nullptr: not stored, ask the features
  double truth_score = 0;
  Terms truth_terms;

  AnswerCheck answer_check;
  double labels() const { return static_cast<double>(query.truth.size); }
  // Features may sum over the labels before they pass entries to the host.
  Terms with_labels(Terms terms) const {
    terms.count += labels();
    return terms;
  }
  HostValues host_values(const Guess& guess) const {
    return {truth_score, guess.score, guess.loss, truth_terms, guess.terms, labels()};
  }
  void set_latest_as_best() { std::swap(scratch.latest, scratch.best); }
};

}  // namespace sculpt::core
