// pass_log.hpp - runs a solver: every pass goes to the run folder and to the screen, and nothing is
// believed that does not hold together (solver/result_check.hpp).
//
// Called by train.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "launch/console.hpp"
#include "run/run_folder.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class PassLog : public Listener {
 public:
  // `before`: the last pass that the folder knows. The references outlive it.
  PassLog(RunFolder& folder, Console& console, std::string solver, std::int64_t before);

  // Throws Failure(Exit::internal) for a report that is wrong.
  void pass_done(const PassReport& report) override;

 private:
  RunFolder& folder_;
  Console& console_;
  std::string solver_;
  std::int64_t pass_;
};

// What Solver::solve() comes to, until the run is asked to stop. `target`: the relative_gap of the
// run, where it has one. Throws Failure: what solve() throws, and Exit::internal, naming the
// solver, for a result that is wrong and for an exception that is no message of the host.
Result solve_soundly(Solver& solver, const std::string& name, const Ports& ports,
                     Listener& listener, Checkpoints& checkpoints, std::optional<double> target);

}  // namespace sculpt::core
