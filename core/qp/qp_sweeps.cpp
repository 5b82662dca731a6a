// qp_sweeps.cpp - sweeps of the QP over its blocks, and steps in the blocks of a batch.

#include <algorithm>

#include "base/random.hpp"
#include "qp/qp_solver.hpp"

namespace sculpt::core {
namespace {

// A sweep skips blocks with a gap below skip_fraction of their tolerance. A visit ends at
// visit_fraction of it.
constexpr double skip_fraction = 0.2;
constexpr double visit_fraction = 0.1;
constexpr std::size_t poll_every = 16;  // blocks

// Blocks that a sweep in chunks takes at most.
constexpr std::ptrdiff_t max_blocks_in_chunks = 1024;
// It takes at least this fraction of them.
constexpr double fraction_in_chunks = 0.25;

// Blocks of a batch are improved in chunks if they have this fraction of the mean gap.
constexpr double min_fraction_of_mean_gap = 0.1;

}  // namespace

void QpSolver::improve(std::span<const std::int64_t> blocks) {
  is_evaluated_ = false;
  for (const std::int64_t index : blocks) {
    Block& block = working_set_.block(index);
    std::fill(block.shrunk.begin(), block.shrunk.end(), std::uint8_t{0});
  }
  if (chunks_.is_possible()) return improve_in_chunks(blocks);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    working_set_.prefetch_next(blocks, k);
    visit(blocks[k], 0);
  }
}

// A block with a small gap would cost as many rows of the kernel as one with a large gap.
void QpSolver::improve_in_chunks(std::span<const std::int64_t> blocks) {
  double total = 0;
  for (const std::int64_t index : blocks) {
    double& gap = block_gaps_[static_cast<std::size_t>(index)];
    gap = measure(index, score_).gap;
    total += gap;
  }
  const double min_gap = min_fraction_of_mean_gap * total / static_cast<double>(blocks.size());
  blocks_to_visit_.assign(blocks.begin(), blocks.end());
  std::erase_if(blocks_to_visit_, [&](std::int64_t index) {
    return block_gaps_[static_cast<std::size_t>(index)] <= min_gap;
  });
  const double work_of_moves = working_set_.work_of_moves();
  const SweepInChunks::Outcome outcome = chunks_.run(blocks_to_visit_, 0, 1, {});
  gain_ += outcome.gain;
  work_ += outcome.work + working_set_.work_of_moves() - work_of_moves;
}

// Visits the blocks with a large gap, in random order. Returns false if it was interrupted.
bool QpSolver::sweep(const QpRequest& request) {
  const ScopedPhase phase(block_gaps_.size() > 1 ? request.clock : nullptr, &PhaseTimes::sweeps);
  const double block_tolerance =
      effective_tolerance(request) / static_cast<double>(block_gaps_.size());
  blocks_to_visit_.clear();
  double gap_to_visit = 0;
  for (std::int64_t block = 0; block < working_set_.block_count(); ++block) {
    const double gap = block_gaps_[static_cast<std::size_t>(block)];
    if (gap <= skip_fraction * block_tolerance) continue;
    blocks_to_visit_.push_back(block);
    gap_to_visit += gap;
  }
  double visit_tolerance = visit_fraction * block_tolerance;
  if (chunks_.is_possible()) return sweep_in_chunks(visit_tolerance, request.stop);
  if (working_set_.inner_product() != nullptr && !blocks_to_visit_.empty()) {
    // A step costs far more than the scores of a block, so only blocks with a large gap make one.
    // At half of the mean some block always does, also if all gaps are equal.
    visit_tolerance = std::max(visit_tolerance,
                               0.5 * gap_to_visit / static_cast<double>(blocks_to_visit_.size()));
  }
  // In a fixed order similar neighbors undo each other's steps: texts of 58 classes took twenty
  // times the work.
  Random(sweep_number_++, "order of a sweep").shuffle(blocks_to_visit_);
  if (!had_conflict_ && parts_.is_worthwhile(blocks_to_visit_)) {
    if (request.stop && request.stop()) return false;
    const SweepInParts::Outcome outcome =
        parts_.run(blocks_to_visit_, visit_tolerance, block_gaps_);
    work_ += outcome.work;
    gain_ += outcome.gain;
    had_conflict_ = outcome.has_conflict;
    return true;
  }
  for (std::size_t k = 0; k < blocks_to_visit_.size(); ++k) {
    if (k % poll_every == 0 && request.stop && request.stop()) return false;
    working_set_.prefetch_next(blocks_to_visit_, k);
    visit(blocks_to_visit_[k], visit_tolerance);
  }
  return true;
}

// Visits the blocks with the largest gaps in chunks, and measures all blocks again. Returns false
// if it was interrupted.
bool QpSolver::sweep_in_chunks(double tolerance, const std::function<bool()>& stop) {
  if (blocks_to_visit_.empty()) return true;
  const auto has_larger_gap = [this](std::int64_t x, std::int64_t y) {
    const double x_gap = block_gaps_[static_cast<std::size_t>(x)];
    const double y_gap = block_gaps_[static_cast<std::size_t>(y)];
    return x_gap != y_gap ? x_gap > y_gap : x < y;
  };
  const auto count = std::min(std::ssize(blocks_to_visit_), max_blocks_in_chunks);
  std::partial_sort(blocks_to_visit_.begin(), blocks_to_visit_.begin() + count,
                    blocks_to_visit_.end(), has_larger_gap);
  blocks_to_visit_.resize(static_cast<std::size_t>(count));
  const double work_of_moves = working_set_.work_of_moves();
  const SweepInChunks::Outcome outcome =
      chunks_.run(blocks_to_visit_, tolerance, fraction_in_chunks, stop);
  gain_ += outcome.gain;
  measure_all();
  work_ += outcome.work + working_set_.work_of_moves() - work_of_moves + scoring_work();
  return !outcome.is_interrupted;
}

// The work of a sweep that moves each plane with alpha > 0 once, beyond scoring. 0 without an inner
// product. A plane is taken for two entries.
double QpSolver::work_of_moving_all() const {
  const InnerProduct* const inner_product = working_set_.inner_product();
  if (inner_product == nullptr) return 0;
  return 2 * inner_product->work_per_entry() * static_cast<double>(working_set_.active_count());
}

void QpSolver::visit(std::int64_t block, double tolerance) {
  const BlockVisit::Outcome outcome =
      visit_.improve(working_set_, block, working_set_.w(), tolerance);
  block_gaps_[static_cast<std::size_t>(block)] = outcome.gap;
  work_ += outcome.work;
  gain_ += outcome.gain;
  const double work_of_moves = working_set_.work_of_moves();
  if (outcome.has_moved) gain_ += working_set_.move_w(block, visit_.alpha_before());
  work_ += working_set_.work_of_moves() - work_of_moves;
}

}  // namespace sculpt::core
