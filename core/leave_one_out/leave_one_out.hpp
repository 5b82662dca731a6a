// leave_one_out.hpp - what a run would predict for each training example if it had been trained
// without it.
//
// Exact for the objective without the slack of example i, at the same weight per example:
//
//   P_i(w) = 1/2 ||w||^2 + C/n sum over j != i of c_j xi_j
//
// Of each example the first of these that works gives the output:
//
//   unused      alpha is 0 in its block: the w of the run is a solution without it, to the same gap
//   ball        no w of the ball that contains the solution (left_out_ball.hpp) predicts another
//               output (output_margins.hpp)
//   retrained   the solver trains again without it (retraining.hpp)
//
// If all outputs can be listed, an unused example needs the ball of the gap too. If not, nothing is
// proved about the optimum: the output is that of a w within the target of the run.
//
// Sources: Joachims, ICML 2000 (unused examples of binary problems, retraining of the rest). The
// ball holds for any number of outputs. Called by the command loo.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "leave_one_out/exact_gaps.hpp"
#include "leave_one_out/left_out_ball.hpp"
#include "leave_one_out/retraining.hpp"

namespace sculpt::core {

enum class LeftOutBy { unused, ball, retrained };
// "unused", "ball" or "retrained".
const char* name_of(LeftOutBy method);

struct LeftOutExample {
  std::int64_t example = 0;  // among the training examples
  Prediction prediction;
  LeftOutBy by = LeftOutBy::retrained;
  bool is_certain = false;  // proved for the optimum without it
  bool has_reached = true;  // false: retraining ended before its target
};

struct LeaveOneOutResult {
  std::vector<LeftOutExample> examples;
  std::int64_t passes = 0;        // of all retraining
  std::int64_t oracle_calls = 0;  // likewise
  double retraining_seconds = 0;
  std::optional<double> xi_alpha_error;  // only for binary problems (xi_alpha_bound.hpp)

  std::int64_t count_by(LeftOutBy method) const;
  std::int64_t certain_count() const;
  std::int64_t missed_count() const;  // retraining ended before its target
};

class LeaveOneOut {
 public:
  // Called before each example that is retrained: `done` of `total`.
  using Progress = std::function<void(std::int64_t done, std::int64_t total)>;

  // `planes`: of the run, with its alpha. Computes w again, and asks the oracle about all examples.
  // All references must outlive it. Throws Failure(Exit::config) if an answer is not exact.
  // Cancelled.
  LeaveOneOut(Problem& problem, PlaneSource& source, const RunSolvers& solvers, WorkingSet& planes,
              StopRequest stop);

  // Leaves out each of these training examples. Throws Failure, Cancelled.
  LeaveOneOutResult run(const std::vector<std::int64_t>& examples, const Progress& progress);

 private:
  ExampleProduct product_of(std::int64_t example);
  std::optional<OutputMargins> margins_of(std::int64_t example);
  bool decide(LeftOutExample& out);
  // Sets the output by retraining, and adds the work to `result`.
  void retrain(LeftOutExample& out, LeaveOneOutResult& result);
  std::optional<double> xi_alpha_error();

  Problem& problem_;
  PlaneSource& source_;
  WorkingSet& planes_;
  SparseSum sum_;
  StopRequest stop_;
  std::uint64_t seed_;
  Retraining retraining_;
  ExactGaps exact_;  // at the w of the run
};

}  // namespace sculpt::core
