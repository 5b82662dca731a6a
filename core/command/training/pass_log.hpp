// pass_log.hpp - runs a solver, and reports each pass to the run folder and to the screen.
//
// Called by train. Reports and results that contradict themselves are refused
// (solver/result_check.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "launch/console.hpp"
#include "run/run_folder.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class PassLog : public Listener {
 public:
  // `last_pass`: the last pass that is in the folder. The references outlive this object.
  // `pass_done`: gets each report that is logged; may be empty.
  PassLog(RunFolder& folder, Console& console, std::string solver, std::int64_t last_pass,
          std::function<void(const PassReport&)> pass_done);

  // Throws InvalidResult if the report is wrong.
  void pass_done(const PassReport& report) override;

  // Keeps back the reports from this pass on, until one of the other two functions is called: a run
  // that is stopped for a validation may repeat its last pass.
  void hold_back_from(std::int64_t pass) { first_held_ = pass; }
  // Logs what was kept back: the run has ended, or continues behind it.
  void release();
  // The run continues after this pass: logs what was kept back up to it, and drops the rest.
  void continue_after(std::int64_t pass);

 private:
  void log(const PassReport& report);

  RunFolder& folder_;
  Console& console_;
  std::string solver_;
  std::function<void(const PassReport&)> pass_done_;
  std::int64_t pass_;  // the last report
  std::int64_t first_held_ = std::numeric_limits<std::int64_t>::max();
  std::vector<PassReport> held_;
};

// The name of a solver, and the file of the state or the planes that it starts with; "": none.
struct SolverOrigin {
  std::string solver;
  std::string state_file;
};

// The result of Solver::solve(), checked. After a stop request it is the result so far. `target`:
// the relative_gap of the run, if it has one. Throws Failure: what solve() throws; Exit::internal
// with the name of the solver if a report or the result is wrong, or for an exception that is not
// of the host. With a state file these two are Exit::data: its values are taken to be wrong.
Result solve_and_check(Solver& solver, const SolverOrigin& origin, const Ports& ports,
                       Listener& listener, const StopRequest& stop, Checkpoints& checkpoints,
                       std::optional<double> target);

}  // namespace sculpt::core
