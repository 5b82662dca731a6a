// moment_run.hpp - one run of soda or z_score: conjugate gradients for A w = b.
//
// The state between two passes is all that is saved. At the end one more pass computes P of the
// hinges.
#pragma once

#include <optional>

#include "solver/checkpoints.hpp"
#include "solver/moments/conjugate_gradients.hpp"
#include "solver/moments/moment_passes.hpp"
#include "solver/moments/moment_solver.hpp"

namespace sculpt::core {

class MomentRun : private MomentPasses {
 public:
  // All arguments must outlive it.
  MomentRun(const MomentOptions& options, const MomentTerms& terms, const Ports& ports,
            Listener& listener, const StopRequest& stop, Checkpoints& checkpoints);

  Result solve();

 private:
  bool make_pass();
  std::optional<StoppedBy> stop_rule() const;
  MomentPoint point() const;
  void report();
  Result finish(StoppedBy rule);

  void start();
  void load(StateReader& in);
  void write_checkpoint();

  const MomentOptions& options_;
  Listener& listener_;
  Checkpoints& checkpoints_;
  bool has_b_ = false;  // false: the next pass computes b
  ConjugateGradients steps_;
};

}  // namespace sculpt::core
