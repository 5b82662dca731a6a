#include "solver/cutting_plane/resume_points.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace sculpt::core {

void Marks::add_part(std::function<void(StateWriter&)> save,
                     std::function<void(StateReader&)> load) {
  save_part_ = std::move(save);
  load_part_ = std::move(load);
}

std::optional<Marks::Point> Marks::resume() {
  StateReader* in = checkpoints_.earlier();
  if (in == nullptr) return std::nullopt;
  const Point point = in->get_flag() ? Point::judge : Point::ask;
  progress_.load(*in);
  sweeps_.load(*in);
  working_set_.load(*in);
  progress_.load_best(*in);
  progress_.load_times(*in);
  if (load_part_) load_part_(*in);
  in->require(in->left() == 0, "more than the state of this solver");
  mark(point);
  written_ = true;
  return point;
}

void Marks::ask(bool stays) {
  mark(Point::ask);
  stays_ = stays;
  if (stays || (progress_.passes() > 0 && checkpoints_.due())) write();
}

void Marks::judge() {
  if (!stays_) mark(Point::judge);
}

void Marks::poll() {
  if (!written_ && progress_.passes() > 0 && checkpoints_.due()) write();
}

Pass Marks::watched(Pass pass) {
  const auto stop = std::move(pass.interrupted);
  pass.interrupted = [this, stop, here = std::this_thread::get_id()] {
    if (std::this_thread::get_id() == here) poll();
    return stop && stop();
  };
  return pass;
}

void Marks::leave() {
  if (!written_) write();
}

// The planes of the mark are there as long as none went since. Memory may be too little for this,
// too.
void Marks::leave_if_whole() noexcept {
  try {
    const std::vector<std::size_t> now = working_set_.block_sizes();
    const bool whole = std::equal(now.begin(), now.end(), sizes_.begin(), sizes_.end(),
                                  [](std::size_t size, std::size_t then) { return size >= then; });
    if (whole && reported_ > 0) leave();
  } catch (const std::exception&) {
    // The first failure is reported, not this one.
  }
}

void Marks::mark(Point point) {
  const InPhase phase(progress_.clock(), &TimeSplit::writing);
  written_ = true;  // until it is whole: memory may run out in the midst of it
  moving_.clear();
  moving_.put(point == Point::judge);
  progress_.save(moving_);
  sweeps_.save(moving_);
  working_set_.save_alpha(moving_);
  sizes_ = working_set_.block_sizes();
  reported_ = progress_.reported();
  written_ = false;
}

void Marks::write() {
  const InPhase phase(progress_.clock(), &TimeSplit::writing);
  checkpoints_.write(reported_, [this](StateWriter& out) {
    out.write(moving_.bytes());
    working_set_.save_planes(out, sizes_);
    progress_.save_best(out);
    progress_.save_times(out);
    if (save_part_) save_part_(out);
  });
  written_ = true;
}

}  // namespace sculpt::core
