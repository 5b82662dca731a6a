// moment_run.hpp - one run of soda or z_score: conjugate gradients for A w = b.
//
//   r = b - A w,   p = the direction
//   repeat: alpha = <r, r> / <p, A p>,   w += alpha p,   r -= alpha A p,
//           p = r + p <new r, new r> / <old r, old r>
//
// It begins with w = 0. So w stays in the range of A, and lambda = 0 leads to the solution of least
// norm. Source: Nocedal & Wright, Numerical Optimization (2006), Algorithm 5.2.
//
// Rounding parts the r of the steps from b - A w. Once r is small enough, another pass computes
// b - A w. If that is too large, the steps begin again from it.
//
// The state between two passes is all that is saved. At the end one more pass computes P of the
// hinges.
#pragma once

#include <cstdint>
#include <optional>

#include "base/infinity.hpp"
#include "objective/moment_system.hpp"
#include "solver/checkpoints.hpp"
#include "solver/moments/moment_solver.hpp"
#include "solver/run_counters.hpp"

namespace sculpt::core {

class MomentRun : private RunCounters {
 public:
  // All arguments must outlive it.
  MomentRun(const MomentOptions& options, const MomentTerms& terms, const Ports& ports,
            Listener& listener, const StopRequest& stop, Checkpoints& checkpoints);
  MomentRun(const MomentRun&) = delete;
  MomentRun& operator=(const MomentRun&) = delete;

  Result solve();

 private:
  bool make_pass();
  bool compute_b();
  bool confirm_residual();
  bool step();
  bool ask_for_product(const Vector& v);
  void require_linear(double change) const;
  bool has_small_residual(double target) const;
  std::optional<StoppedBy> stop_rule() const;
  double residual() const;
  void report();
  Result finish(StoppedBy rule);
  bool find_hinge_primal(Result& result);

  void start();
  void load(StateReader& in);
  void write_checkpoint();

  const MomentOptions& options_;
  PlaneSource& planes_;
  Listener& listener_;
  Checkpoints& checkpoints_;
  MomentSystem system_;
  std::int64_t asked_count_;  // examples that the oracle is asked about

  bool has_b_ = false;         // false: the next pass computes b
  bool is_confirmed_ = false;  // r is b - A w, not that of the steps
  bool is_stuck_ = false;      // no step lowers r beyond rounding
  std::int64_t no_output_count_ = 0;
  Vector w_;
  Vector b_;
  Vector r_;
  Vector p_;
  Vector product_;                     // A p or A w
  double squared_b_ = 0;               // ||b||^2
  double squared_r_ = 0;               // ||r||^2
  double least_confirmed_ = infinity;  // of ||b - A w||^2
  double largest_curvature_ = 0;       // of <p, A p> / <p, p>
};

}  // namespace sculpt::core
