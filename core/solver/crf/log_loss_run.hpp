// log_loss_run.hpp - what a run of crf does by any method: the passes of stochastic steps that it
// begins with, its reports and its result.
//
// Base of CrfRun and SdcaRun.
#pragma once

#include <cstdint>
#include <optional>

#include "base/infinity.hpp"
#include "solver/checkpoints.hpp"
#include "solver/crf/crf.hpp"
#include "solver/crf/stochastic_descent.hpp"
#include "solver/run_counters.hpp"

namespace sculpt::core {

class LogLossRun : protected RunCounters {
 public:
  virtual ~LogLossRun() = default;
  LogLossRun(const LogLossRun&) = delete;
  LogLossRun& operator=(const LogLossRun&) = delete;

 protected:
  // What is proved about the best w, and the best D.
  struct Bounds {
    double primal = infinity;
    double dual = -infinity;
    double rounding = 0;  // by how much rounding may change primal
    std::int64_t no_output_count = 0;
    bool is_exact = true;  // false: log Z was an approximation

    double gap() const;
    double relative_gap() const;
  };

  // All arguments must outlive it.
  LogLossRun(const CrfOptions& options, const Ports& ports, Listener& listener,
             const StopRequest& stop, Checkpoints& checkpoints);

  // A fresh run: prepares this many passes of stochastic steps, from w = 0 or from the weights of
  // another run, which are moved out. Returns the w to begin with if there are none, else an empty
  // one.
  Vector begin_descent(std::int64_t passes, Vector* warm_start);
  // Makes these passes, and then sets w. Returns why the run ends before.
  std::optional<StoppedBy> descend_stochastically(std::int64_t passes, Vector& w);
  bool is_descending() const { return descent_.has_value(); }
  Vector descending_w() const { return descent_->w(); }
  void save_descent(StateWriter& out) const;
  void load_descent(StateReader& in);

  // Counts a pass, and reports it. nullptr: nothing is proved yet.
  void report(const Bounds* bounds, double progress);
  // The result at w. `bounds` as in report(). Fills all but that.
  Result result_of(StoppedBy rule, const Bounds* bounds, Vector w) const;
  StoppedBy interruption() const;

  const CrfOptions& options() const { return options_; }
  ExpectationSource& source() const { return source_; }
  Checkpoints& checkpoints() const { return checkpoints_; }

 private:
  virtual void write_checkpoint() = 0;

  const CrfOptions& options_;
  ExpectationSource& source_;
  Listener& listener_;
  Checkpoints& checkpoints_;
  std::optional<StochasticDescent> descent_;  // while its passes are not all done
};

}  // namespace sculpt::core
