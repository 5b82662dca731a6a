#include "solver/cutting_plane/resume_points.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace sculpt::core {

void ResumePoints::add_state(std::function<void(StateWriter&)> save,
                             std::function<void(StateReader&)> load) {
  save_part_ = std::move(save);
  load_part_ = std::move(load);
}

std::optional<ResumePoints::Point> ResumePoints::resume() {
  StateReader* in = checkpoints_.earlier();
  if (in == nullptr) return std::nullopt;
  const Point point = in->get_flag() ? Point::after_pass : Point::before_pass;
  pass_controller_.load(*in);
  qp_solver_.load(*in);
  working_set_.load(*in);
  pass_controller_.load_best(*in);
  pass_controller_.load_times(*in);
  if (load_part_) load_part_(*in);
  in->require(in->left() == 0, "more than the state of this solver");
  mark(point);
  written_ = true;
  return point;
}

void ResumePoints::record_before_pass(bool stays) {
  mark(Point::before_pass);
  stays_ = stays;
  if (stays || (pass_controller_.passes() > 0 && checkpoints_.due())) write();
}

void ResumePoints::record_after_pass() {
  if (!stays_) mark(Point::after_pass);
}

void ResumePoints::poll() {
  if (!written_ && pass_controller_.passes() > 0 && checkpoints_.due()) write();
}

Pass ResumePoints::with_checkpoint_poll(Pass pass) {
  const auto stop = std::move(pass.interrupted);
  pass.interrupted = [this, stop, here = std::this_thread::get_id()] {
    if (std::this_thread::get_id() == here) poll();
    return stop && stop();
  };
  return pass;
}

void ResumePoints::write_last_point() {
  if (!written_) write();
}

// The planes of the point are complete as long as none was dropped since. There may be too little
// memory even for this.
void ResumePoints::leave_if_whole() noexcept {
  try {
    const std::vector<std::size_t> now = working_set_.block_sizes();
    const bool whole = std::equal(now.begin(), now.end(), sizes_.begin(), sizes_.end(),
                                  [](std::size_t size, std::size_t then) { return size >= then; });
    if (whole && reported_ > 0) write_last_point();
  } catch (const std::exception&) {
    // The first failure is reported, not this one.
  }
}

void ResumePoints::mark(Point point) {
  const InPhase phase(pass_controller_.clock(), &TimeSplit::writing);
  written_ = true;  // until the point is complete: memory may run out here
  moving_.clear();
  moving_.put(point == Point::after_pass);
  pass_controller_.save(moving_);
  qp_solver_.save(moving_);
  working_set_.save_alpha(moving_);
  sizes_ = working_set_.block_sizes();
  reported_ = pass_controller_.reported();
  written_ = false;
}

void ResumePoints::write() {
  const InPhase phase(pass_controller_.clock(), &TimeSplit::writing);
  checkpoints_.write(reported_, [this](StateWriter& out) {
    out.write(moving_.bytes());
    working_set_.save_planes(out, sizes_);
    pass_controller_.save_best(out);
    pass_controller_.save_times(out);
    if (save_part_) save_part_(out);
  });
  written_ = true;
}

}  // namespace sculpt::core
