// online_run.hpp - passes over the examples that make a step of w for each, and prove no dual.
//
// Base of the runs of perceptron and subgradient, which say what is asked and what a step is. All
// steps are sums of planes (RunningSum); `batch` examples are asked at one w, on all threads, and
// their steps made in order. What is judged and saved is a multiple of the mean over all steps:
//
//   P(w) of w = factor() * mean, by one whole pass at this w: every `evaluate_every` passes and at
//   the end.
//
// The state between two batches is all there is to save, so that a run may stop anywhere.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "linalg/compressed_vector.hpp"
#include "objective/certificate.hpp"
#include "solver/checkpoints.hpp"
#include "solver/online/running_sum.hpp"
#include "solver/options.hpp"
#include "solver/run_counters.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class OnlineRun : private RunCounters {
 public:
  // All outlive it.
  OnlineRun(const OnlineOptions& options, PlaneSource& source, Listener& listener,
            const StopRequest& stop, Checkpoints& checkpoints);
  virtual ~OnlineRun() = default;
  OnlineRun(const OnlineRun&) = delete;
  OnlineRun& operator=(const OnlineRun&) = delete;

  Result solve();

 protected:
  const RunningSum& sum() const { return sum_; }

 private:
  // What is asked at sum().last(): sets scale or loss_weight.
  virtual void pose(Pass& pass) const = 0;
  // The step that an answer with an output asks for: this times its a. 0: no mistake.
  virtual double step(const Separation& answer) const = 0;
  // What the mean is multiplied with.
  virtual double factor() const = 0;
  // Whether a pass without mistakes ends the run, and the last w is the result rather than that of
  // the best P.
  virtual bool stops_without_mistakes() const = 0;

  // Examples of a pass.
  struct Counts {
    std::int64_t mistakes = 0;
    AnswerCounts answers;
    void save(StateWriter& out) const;
    void load(StateReader& in);
  };

  void resume();
  bool learn();
  bool ask(WeightView w, std::span<const std::int64_t> examples, const Pass& pass);
  void take(const Separation& answer);
  std::optional<StoppedBy> verdict() const;
  bool is_due() const;
  bool evaluate();
  bool sum_slack(WeightView w, MeanSlack& mean);
  void keep(WeightView w, const PrimalBounds& primal);
  void report();
  Result interrupted();
  Result finish(StoppedBy rule) const;

  Pass with_checkpoint_poll(Pass pass);
  void mark();
  void write();
  void write_checkpoint();

  const OnlineOptions& options_;
  PlaneSource& source_;
  Listener& listener_;
  Checkpoints& checkpoints_;
  RunningSum sum_;
  std::vector<std::int64_t> order_;  // [n] of the pass under way
  std::int64_t position_ = 0;        // in it: so many examples have made their step
  Counts counts_;                    // of them
  Counts last_;                      // of the last pass that was reported
  std::vector<Separation> answers_;

  // Of the w whose P was judged: the best, or the last.
  CompressedVector judged_;  // [dimension]
  PrimalBounds bounds_{std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::infinity(), 0};
  bool is_judged_ = false;              // there is such a w
  std::optional<PrimalBounds> latest_;  // of the pass under way

  StateBuffer marked_;  // the counters that an evaluation moves, as they were before it
  bool evaluating_ = false;
  bool written_ = false;
};

}  // namespace sculpt::core
