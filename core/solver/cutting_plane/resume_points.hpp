// resume_points.hpp - the points of a run that a checkpoint brings it back to.
//
// Held by CuttingPlaneContext beside what it marks. A run has two points in a pass:
//
//   ask     before the first example is asked
//   judge   all have been asked, and what that proves is known; nothing was decided from it, and
//           the QP has not seen the new planes
//
// A mark remembers, in memory, the part of the state that moves: alpha, ages, counters, bounds;
// some 20 bytes a plane. Planes are only added until the next mark, and the w of the certificate
// changes right before a mark alone. So a run that is stopped in the midst of a pass or of a QP can
// still write the state of its last mark, as if it had stopped there: a checkpoint is always that
// of a mark.
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

  // All outlive it.
  ResumePoints(Checkpoints& checkpoints, PassController& pass_controller, QpSolver& qp_solver,
               WorkingSet& working_set)
      : checkpoints_(checkpoints),
        pass_controller_(pass_controller),
        qp_solver_(qp_solver),
        working_set_(working_set) {}

  // State of the solver's own that is saved and loaded with the rest. Like the w of the certificate
  // it changes right before a mark alone.
  void add_state(std::function<void(StateWriter&)> save, std::function<void(StateReader&)> load);

  // Where an earlier run goes on, its state loaded; nothing: there is none. Once, at the beginning.
  std::optional<Point> resume();

  // ResumePoints `ask`, and writes a checkpoint when one is due. `stays`: this pass depends on a
  // limit, so that a run with another one goes on from here: writes it now, and record_after_pass()
  // marks nothing.
  void record_before_pass(bool stays);
  void record_after_pass();

  // In the midst of a pass or of a QP: writes the last mark when a checkpoint is due, unless it has
  // been.
  void poll();

  // The pass with poll() wherever this thread polls it: before every example that it asks about.
  Pass with_checkpoint_poll(Pass pass);

  // At the end of a run, before anything else ends: writes the last mark unless it has been.
  void write_last_point();

  // ask(), which asks the oracle; when it throws, a server that went away say, then
  // the last mark is not lost.
  template <class Ask>
  bool write_if_throws(Ask&& ask) {
    try {
      return ask();
    } catch (...) {
      write_last_point();
      throw;
    }
  }

  // All of the run: when memory runs out elsewhere, in the QP say, the last mark is not lost
  // either.
  template <class Body>
  auto write_if_out_of_memory(Body&& body) {
    try {
      return body();
    } catch (const std::bad_alloc&) {
      leave_if_whole();
      throw;
    }
  }

 private:
  void leave_if_whole() noexcept;
  void mark(Point point);
  void write();

  Checkpoints& checkpoints_;
  PassController& pass_controller_;
  QpSolver& qp_solver_;
  WorkingSet& working_set_;
  std::function<void(StateWriter&)> save_part_;
  std::function<void(StateReader&)> load_part_;
  StateBuffer moving_;              // as it was at the mark
  std::vector<std::size_t> sizes_;  // of the blocks, likewise
  std::int64_t reported_ = 0;       // likewise
  bool stays_ = false;
  bool written_ = true;  // there is no mark yet
};

}  // namespace sculpt::core
