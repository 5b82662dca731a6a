// crf_run.hpp - one run of the solver crf by the methods lbfgs and sgd.
//
// Each pass asks at the trial w = base + step * direction. The base is the last accepted w. The
// state between two passes is all that is saved: the base, the best dual, the history and the line
// search. Direction and trial follow from them.
#pragma once

#include <cstdint>
#include <optional>

#include "objective/log_loss.hpp"
#include "solver/crf/crf.hpp"
#include "solver/crf/curvature_history.hpp"
#include "solver/crf/line_search.hpp"
#include "solver/crf/log_loss_run.hpp"
#include "solver/crf/orthant.hpp"

namespace sculpt::core {

class CrfRun : private LogLossRun {
 public:
  // All arguments must outlive it.
  CrfRun(const CrfOptions& options, const Ports& ports, Listener& listener, const StopRequest& stop,
         Checkpoints& checkpoints);

  Result solve();
  // The w of the best dual, in a state that was saved.
  std::vector<Vector> load_dual_vectors(StateReader& in);

 private:
  std::int64_t sgd_passes() const;
  bool evaluate_trial();
  void raise_dual();
  void check_convexity(const LineSearch::Trial& trial) const;
  void advance();
  void accept_trial();
  void choose_direction();
  void set_trial();
  std::optional<StoppedBy> stop_rule() const;
  Bounds bounds() const;
  Result finish(StoppedBy rule);

  void start();
  void load(StateReader& in);
  void write_checkpoint() override;

  LogLoss loss_;
  Orthant orthant_;
  CurvatureHistory history_;
  LineSearch search_;

  bool is_exact_ = true;   // false: log Z was an approximation at some w
  bool is_stuck_ = false;  // no step falls below the base beyond rounding
  bool has_base_ = false;  // false: the trial is the first point
  LogLossPoint base_;
  LogLossPoint trial_;
  Vector slopes_;     // of P at the base; empty if P is smooth: the gradient
  Vector direction_;  // from the base
  double slope_ = 0;  // of P along it, < 0
  double dual_;       // the best D
  Vector dual_w_;     // its w
  double progress_;   // the relative fall of P by the last accepted step
};

}  // namespace sculpt::core
