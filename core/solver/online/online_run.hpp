// online_run.hpp - passes that make a step of w for each example, and prove no dual.
//
// Base of the runs of perceptron and subgradient, which define what is asked and what a step is.
// All steps are sums of planes (RunningSum). `batch` examples are asked at one w, on all threads,
// and their steps follow in order. The w that is evaluated and saved is a multiple of the mean over
// all steps:
//
//   P(w) of w = mean_factor() * mean, by one whole pass at this w, every `evaluate_every` passes
//   and at the end.
//
// With a kernel the sums have coefficients, and w their scores (SumScores). The saved vector is
// then that of the coefficients.
//
// The state between two batches is all that is saved, so a run may stop anywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/infinity.hpp"
#include "linalg/compressed_vector.hpp"
#include "objective/certificate.hpp"
#include "solver/checkpoints.hpp"
#include "solver/online/running_sum.hpp"
#include "solver/online/sum_scores.hpp"
#include "solver/options.hpp"
#include "solver/run_counters.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class OnlineRun : private RunCounters {
 public:
  // All arguments must outlive it.
  OnlineRun(const OnlineOptions& options, PlaneSource& source, Listener& listener,
            const StopRequest& stop, Checkpoints& checkpoints);
  virtual ~OnlineRun() = default;
  OnlineRun(const OnlineRun&) = delete;
  OnlineRun& operator=(const OnlineRun&) = delete;

  Result solve();

 protected:
  const RunningSum& sum() const { return sum_; }
  // ||a||^2 of a plane of this example.
  double squared_norm_of(std::int64_t example, const SparseVector& a) {
    return scores_.squared_norm(example, a);
  }

 private:
  // Sets scale or loss_weight of the pass, which asks at sum().last().
  virtual void configure(Pass& pass) const = 0;
  // The factor of a in the step for an answer with an output. 0: no mistake.
  virtual double step_factor(std::int64_t example, const Separation& answer) = 0;
  // The factor of the mean.
  virtual double mean_factor() const = 0;
  // True if a pass without mistakes ends the run. Then the result is the last w, not the w of the
  // best P.
  virtual bool stops_without_mistakes() const = 0;

  // Counts over the examples of a pass.
  struct Counts {
    std::int64_t mistakes = 0;
    AnswerCounts answers;
    void save(StateWriter& out) const;
    void load(StateReader& in);
  };

  void resume();
  bool finish_pass();
  bool ask(WeightView w, std::span<const std::int64_t> examples, const Pass& pass);
  void apply_step(std::int64_t example, const Separation& answer);
  std::optional<StoppedBy> stop_rule_after_pass() const;
  bool evaluation_is_due() const;
  bool evaluate();
  bool sum_slack(WeightView w, MeanSlack& mean);
  void keep_if_better(const Vector& v, const PrimalBounds& primal);
  void report();
  Result finish_interrupted();
  Result finish(StoppedBy rule) const;

  Pass with_checkpoint_poll(Pass pass);
  void record_counters();
  void write();
  void write_checkpoint();

  const OnlineOptions& options_;
  PlaneSource& source_;
  Listener& listener_;
  Checkpoints& checkpoints_;
  RunningSum sum_;
  SumScores scores_;
  std::vector<std::int64_t> order_;  // [n] of the current pass
  std::int64_t position_ = 0;        // in order_: the number of examples that have made their step
  Counts counts_;                    // of these examples
  Counts reported_counts_;           // of the last reported pass
  std::vector<Separation> answers_;

  // The result at which P was evaluated, the best or the last: w, or with a kernel its
  // coefficients.
  CompressedVector evaluated_;  // [dimension]
  PrimalBounds evaluated_primal_{infinity, infinity, 0};
  bool has_evaluated_w_ = false;
  std::optional<PrimalBounds> pass_primal_;  // of the current pass

  StateBuffer recorded_counters_;  // the counters that an evaluation changes, as before it
  bool is_evaluating_ = false;
  bool is_written_ = false;
};

}  // namespace sculpt::core
