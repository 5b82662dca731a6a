#include "solver/cutting_plane/resume_points.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace sculpt::core {

void ResumePoints::add_state(std::function<void(StateWriter&)> save,
                             std::function<void(StateReader&)> load) {
  save_solver_state_ = std::move(save);
  load_solver_state_ = std::move(load);
}

std::optional<ResumePoints::Point> ResumePoints::resume() {
  StateReader* in = checkpoints_.saved_state();
  if (in == nullptr) return std::nullopt;
  const Point point = in->get_flag() ? Point::after_pass : Point::before_pass;
  pass_controller_.load(*in);
  qp_solver_.load(*in);
  working_set_.load(*in);
  pass_controller_.load_best(*in);
  pass_controller_.load_times(*in);
  if (load_solver_state_) load_solver_state_(*in);
  in->require(in->bytes_left() == 0, "more than the state of this solver");
  record(point);
  is_written_ = true;
  return point;
}

void ResumePoints::record_before_pass(bool depends_on_limit) {
  record(Point::before_pass);
  pass_depends_on_limit_ = depends_on_limit;
  if (depends_on_limit || (pass_controller_.passes() > 0 && checkpoints_.is_due())) write();
}

void ResumePoints::record_after_pass() {
  if (!pass_depends_on_limit_) record(Point::after_pass);
}

void ResumePoints::poll() {
  if (!is_written_ && pass_controller_.passes() > 0 && checkpoints_.is_due()) write();
}

Pass ResumePoints::with_checkpoint_poll(Pass pass) {
  const auto is_stopped = std::move(pass.interrupted);
  pass.interrupted = [this, is_stopped, solver_thread = std::this_thread::get_id()] {
    if (std::this_thread::get_id() == solver_thread) poll();
    return is_stopped && is_stopped();
  };
  return pass;
}

void ResumePoints::write_last_point() {
  if (!is_written_) write();
}

// Writes the last point if its planes are complete: none was dropped since. There may be too little
// memory even for this.
void ResumePoints::write_if_complete() noexcept {
  try {
    const std::vector<std::size_t> current = working_set_.block_sizes();
    const bool is_complete = std::equal(
        current.begin(), current.end(), block_sizes_.begin(), block_sizes_.end(),
        [](std::size_t size, std::size_t recorded_size) { return size >= recorded_size; });
    if (is_complete && reported_passes_ > 0) write_last_point();
  } catch (const std::exception&) {
    // The first failure is reported, not this one.
  }
}

// Records the state of this moment as the last point, in memory.
void ResumePoints::record(Point point) {
  const ScopedPhase phase(pass_controller_.clock(), &PhaseTimes::writing);
  is_written_ = true;  // until the point is complete: memory may run out here
  changing_state_.clear();
  changing_state_.put(point == Point::after_pass);
  pass_controller_.save(changing_state_);
  qp_solver_.save(changing_state_);
  working_set_.save_alpha(changing_state_);
  block_sizes_ = working_set_.block_sizes();
  reported_passes_ = pass_controller_.reported_passes();
  is_written_ = false;
}

// Writes a checkpoint of the last point.
void ResumePoints::write() {
  const ScopedPhase phase(pass_controller_.clock(), &PhaseTimes::writing);
  checkpoints_.write(reported_passes_, [this](StateWriter& out) {
    out.write(changing_state_.bytes());
    working_set_.save_planes(out, block_sizes_);
    pass_controller_.save_best(out);
    pass_controller_.save_times(out);
    if (save_solver_state_) save_solver_state_(out);
  });
  is_written_ = true;
}

}  // namespace sculpt::core
