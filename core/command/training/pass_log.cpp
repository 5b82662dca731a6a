#include "command/training/pass_log.hpp"

#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/current_activity.hpp"
#include "base/failure.hpp"
#include "launch/run_events.hpp"
#include "launch/stop_signal.hpp"
#include "solver/result_check.hpp"

namespace sculpt::core {

PassLog::PassLog(RunFolder& folder, Console& console, std::string solver, std::int64_t last_pass)
    : folder_(folder), console_(console), solver_(std::move(solver)), pass_(last_pass) {}

void PassLog::pass_done(const PassReport& report) {
  require_valid(report, pass_, solver_);
  pass_ = report.pass;
  current_activity.pass = report.pass + 1;
  folder_.append_event(pass_event(report));
  console_.add_pass(report);
}

Result solve_and_check(Solver& solver, const std::string& name, const Ports& ports,
                       Listener& listener, Checkpoints& checkpoints, std::optional<double> target) {
  try {
    Result result = solver.solve(ports, listener, stop_requested, checkpoints);
    require_valid(result, *ports.any_source(), target, name);
    return result;
  } catch (const Failure&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Failure(Exit::internal, "the solver " + name + " failed: " + error.what());
  }
}

}  // namespace sculpt::core
