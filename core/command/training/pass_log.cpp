#include "command/training/pass_log.hpp"

#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/current_activity.hpp"
#include "base/failure.hpp"
#include "launch/run_events.hpp"
#include "solver/result_check.hpp"

namespace sculpt::core {

PassLog::PassLog(RunFolder& folder, Console& console, std::string solver, std::int64_t last_pass,
                 std::function<void(const PassReport&)> pass_done)
    : folder_(folder),
      console_(console),
      solver_(std::move(solver)),
      pass_done_(std::move(pass_done)),
      pass_(last_pass) {}

void PassLog::pass_done(const PassReport& report) {
  require_valid(report, pass_, solver_);
  pass_ = report.pass;
  current_activity.pass = report.pass + 1;
  if (report.pass >= first_held_) {
    held_.push_back(report);
  } else {
    log(report);
  }
}

void PassLog::release() {
  for (const PassReport& report : held_) log(report);
  held_.clear();
}

void PassLog::continue_after(std::int64_t pass) {
  std::erase_if(held_, [&](const PassReport& report) { return report.pass > pass; });
  release();
  pass_ = pass;
}

void PassLog::log(const PassReport& report) {
  folder_.append_event(pass_event(report));
  console_.add_pass(report);
  if (pass_done_) pass_done_(report);
}

Result solve_and_check(Solver& solver, const SolverOrigin& origin, const Ports& ports,
                       Listener& listener, const StopRequest& stop, Checkpoints& checkpoints,
                       std::optional<double> target) {
  std::string fault;
  try {
    Result result = solver.solve(ports, listener, stop, checkpoints);
    require_valid(result, *ports.any_source(), target, origin.solver);
    return result;
  } catch (const InvalidResult& invalid) {
    fault = invalid.what();
  } catch (const Failure&) {
    throw;  // of a component or of the data, or a stop. Loading checks what the state indexes
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fault = "the solver " + origin.solver + " failed: " + error.what();
  }
  if (origin.state_file.empty()) throw Failure(Exit::internal, fault);
  // The checksum of a checkpoint does not prove that its values are right.
  throw Failure(Exit::data, origin.state_file +
                                ": a run that starts with this state goes wrong, so it may be "
                                "damaged; train without it; " +
                                fault);
}

}  // namespace sculpt::core
