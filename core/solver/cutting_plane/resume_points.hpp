// resume_points.hpp - the points of a run that a checkpoint can resume.
//
// Held by CuttingPlaneContext. A pass has two resume points:
//
//   before_pass  before the first example is asked
//   after_pass   all have been asked, and what that proves is known; nothing was decided from it,
//                and the QP has not used the new planes
//
// A resume point stores, in memory, the part of the state that changes: alpha, ages, counters,
// bounds. It takes some 20 bytes a plane. Until the next point planes are only added, and the w of
// the certificate changes only right before a point. So a run that stops within a pass or a QP can
// write the state of its last resume point. A checkpoint always contains such a point.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <vector>

#include "base/file/state_stream.hpp"
#include "objective/plane_source.hpp"
#include "qp/qp_solver.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/checkpoints.hpp"
#include "solver/cutting_plane/pass_controller.hpp"

namespace sculpt::core {

class ResumePoints {
 public:
  enum class Point : std::uint8_t { before_pass, after_pass };

  // All arguments must outlive it.
  ResumePoints(Checkpoints& checkpoints, PassController& pass_controller, QpSolver& qp_solver,
               WorkingSet& working_set)
      : checkpoints_(checkpoints),
        pass_controller_(pass_controller),
        qp_solver_(qp_solver),
        working_set_(working_set) {}

  // Adds state of the solver that is saved and loaded with the rest. Like the w of the certificate
  // it may change only right before a resume point.
  void add_state(std::function<void(StateWriter&)> save, std::function<void(StateReader&)> load);

  // Loads the state of an earlier run, and returns the point where it resumes. None: there is no
  // such state. Call it once, at the beginning.
  std::optional<Point> resume();

  // Records the point before_pass, and writes a checkpoint if one is due. `depends_on_limit`: the
  // pass depends on a limit, so a run with another limit must resume here. Then it writes now, and
  // record_after_pass() records nothing.
  void record_before_pass(bool depends_on_limit);
  void record_after_pass();

  // Within a pass or a QP: writes the last point if a checkpoint is due and the point is not
  // written yet.
  void poll();

  // Adds poll() to the pass, on this thread. It runs before every example that the pass asks about.
  Pass with_checkpoint_poll(Pass pass);

  // At the end of a run, before anything else ends: writes the last point if it is not written yet.
  void write_last_point();

  // Runs ask(), which calls the oracle. If it throws, for example because a server is gone, the
  // last point is written.
  template <class Ask>
  bool write_if_throws(Ask&& ask) {
    try {
      return ask();
    } catch (...) {
      write_last_point();
      throw;
    }
  }

  // Runs the whole solver. If memory runs out outside of the oracle, for example in the QP, the
  // last point is written as well.
  template <class Solve>
  auto write_if_out_of_memory(Solve&& solve) {
    try {
      return solve();
    } catch (const std::bad_alloc&) {
      write_if_complete();
      throw;
    }
  }

 private:
  void write_if_complete() noexcept;
  void record(Point point);
  void write();

  Checkpoints& checkpoints_;
  PassController& pass_controller_;
  QpSolver& qp_solver_;
  WorkingSet& working_set_;
  std::function<void(StateWriter&)> save_solver_state_;
  std::function<void(StateReader&)> load_solver_state_;
  // At the last point: the state that changes, the sizes of the blocks, the reported passes.
  StateBuffer changing_state_;
  std::vector<std::size_t> block_sizes_;
  std::int64_t reported_passes_ = 0;
  bool pass_depends_on_limit_ = false;
  bool is_written_ = true;  // True at first: there is no point yet.
};

}  // namespace sculpt::core
