#include "qp/sweep_in_chunks.hpp"

#include <utility>

namespace sculpt::core {
namespace {

// A chunk is left when its gaps have fallen to this fraction, or after this many rounds.
constexpr double chunk_gap_fraction = 0.1;
constexpr int max_chunk_rounds = 20;

// Chunks between two measurements of all gaps, if they are small parts of the blocks.
constexpr std::size_t chunks_per_sweep = 4;

}  // namespace

SweepInChunks::SweepInChunks(WorkingSet& working_set) : working_set_(working_set) {
  if (!is_possible()) return;
  for (Chunk& chunk : chunks_) chunk.product = working_set.inner_product()->make_chunk();
}

SweepInChunks::Outcome SweepInChunks::run(std::span<const std::int64_t> blocks, double tolerance,
                                          double fraction, const std::function<bool()>& stop) {
  Outcome outcome;
  const auto wanted = static_cast<std::size_t>(fraction * static_cast<double>(blocks.size()));
  std::size_t number = 0;  // of chunks
  // Returns the next chunk: nullptr at the end, and one without blocks if its first is too large.
  const auto start_next = [&](const Chunk* current) -> Chunk* {
    const std::size_t begun = blocks.size() - left_.size();
    if (left_.empty() || (number >= chunks_per_sweep && begun >= wanted)) return nullptr;
    if (stop && stop()) outcome.is_interrupted = true;
    if (outcome.is_interrupted) return nullptr;
    Chunk& chunk = chunks_[number % chunks_.size()];
    chunk.blocks = left_.first(
        chunk.product->start(left_, current == nullptr ? nullptr : current->product.get()));
    if (chunk.blocks.empty()) return &chunk;
    left_ = left_.subspan(chunk.blocks.size());
    ++number;
    return &chunk;
  };
  left_ = blocks;
  while (Chunk* current = start_next(nullptr)) {
    if (current->blocks.empty()) {
      visit_alone(left_.front(), tolerance, outcome);
      left_ = left_.subspan(1);
      ++number;
      continue;
    }
    copy(*current);
    const Chunk* previous = nullptr;
    while (current != nullptr) {
      Chunk* next = start_next(current);
      if (next != nullptr && next->blocks.empty()) next = nullptr;
      solve(*current, previous, next, tolerance, outcome);
      previous = std::exchange(current, next);
    }
    working_set_.move_w(previous->change);
  }
  return outcome;
}

void SweepInChunks::copy(Chunk& chunk) {
  working_set_.move_w({}, {chunk.product->copy_task_count(),
                           [&](std::int64_t task) { chunk.product->copy(task); }});
}

// Solves a chunk, while w follows the previous one, and the next one takes over M.
void SweepInChunks::solve(Chunk& chunk, const Chunk* previous, Chunk* next, double tolerance,
                          Outcome& outcome) {
  chunk.product->copy_w(working_set_.w().dense(), chunk.local_w);
  const auto run = [&](std::int64_t task) {
    if (task > 0) return next->product->copy(task - 1);
    if (previous != nullptr) chunk.product->follow(previous->change, chunk.local_w);
    ascend(chunk, tolerance, outcome);
  };
  const std::int64_t copies = next == nullptr ? 0 : next->product->copy_task_count();
  working_set_.move_w(previous == nullptr ? SparseVector() : previous->change, {1 + copies, run});
}

// Moves alpha of the blocks, and w within the chunk.
void SweepInChunks::ascend(Chunk& chunk, double tolerance, Outcome& outcome) {
  chunk.alpha_before.clear();
  for (const std::int64_t block : chunk.blocks) {
    const std::vector<double>& alpha = working_set_.block(block).alpha;
    chunk.alpha_before.insert(chunk.alpha_before.end(), alpha.begin(), alpha.end());
  }
  double gap_before = 0;
  for (int number = 0; number < max_chunk_rounds; ++number) {
    const Round round = visit_all(chunk, tolerance, outcome);
    if (number == 0) gap_before = round.gap;
    if (!round.has_moved || round.gap <= chunk_gap_fraction * gap_before) break;
  }
  chunk.change = working_set_.change_of(chunk.blocks, chunk.alpha_before);
}

// For a block that is too large for a chunk.
void SweepInChunks::visit_alone(std::int64_t block, double tolerance, Outcome& outcome) {
  const BlockVisit::Outcome visit =
      visit_.improve(working_set_, block, working_set_.w(), tolerance);
  outcome.gain += visit.gain;
  outcome.work += visit.work;
  if (visit.has_moved) working_set_.move_w(block, visit_.alpha_before());
}

// Visits each block once.
SweepInChunks::Round SweepInChunks::visit_all(Chunk& chunk, double tolerance, Outcome& outcome) {
  Round round;
  for (std::size_t k = 0; k < chunk.blocks.size(); ++k) {
    const std::int64_t index = chunk.blocks[k];
    chunk.product->show(k, chunk.local_w);
    const BlockVisit::Outcome visit = visit_.improve(working_set_, index, chunk.local_w, tolerance);
    round.gap += visit.gap;
    outcome.gain += visit.gain;
    outcome.work += visit.work;
    if (!visit.has_moved) continue;
    round.has_moved = true;
    const Block& block = working_set_.block(index);
    alpha_moves_.resize(block.size());
    for (std::size_t p = 0; p < block.size(); ++p) {
      alpha_moves_[p] = block.alpha[p] - visit_.alpha_before()[p];
    }
    chunk.product->move(k, block.a, alpha_moves_, chunk.local_w);
  }
  return round;
}

}  // namespace sculpt::core
