#include "qp/sweep_in_chunks.hpp"

namespace sculpt::core {
namespace {

// A chunk is left when its gaps have fallen to this fraction, or after this many rounds.
constexpr double gap_fraction = 0.1;
constexpr int max_rounds = 20;

// Chunks between two measurements of all gaps, if they are small parts of the blocks.
constexpr int chunks_per_sweep = 4;

}  // namespace

SweepInChunks::Outcome SweepInChunks::run(std::span<const std::int64_t> blocks, double tolerance,
                                          const std::function<bool()>& stop) {
  Outcome outcome;
  const std::size_t wanted = blocks.size() / 4;
  std::size_t visited = 0;
  for (int k = 0; visited < blocks.size() && (k < chunks_per_sweep || visited < wanted); ++k) {
    if (stop && stop()) {
      outcome.is_interrupted = true;
      break;
    }
    visited += run_chunk(blocks.subspan(visited), tolerance, outcome);
  }
  return outcome;
}

// Returns the number of blocks it took.
std::size_t SweepInChunks::run_chunk(std::span<const std::int64_t> blocks, double tolerance,
                                     Outcome& outcome) {
  InnerProduct& product = *working_set_.inner_product();
  const auto chunk = blocks.first(product.set_chunk(blocks));
  if (chunk.empty()) {
    visit_alone(blocks.front(), tolerance, outcome);
    return 1;
  }
  local_w_.resize(working_set_.w().dense().size());
  product.copy_chunk(working_set_.w().dense(), local_w_);
  alpha_before_.clear();
  for (const std::int64_t block : chunk) {
    const std::vector<double>& alpha = working_set_.block(block).alpha;
    alpha_before_.insert(alpha_before_.end(), alpha.begin(), alpha.end());
  }
  double gap_before = 0;
  for (int number = 0; number < max_rounds; ++number) {
    const Round round = visit_all(chunk, tolerance, outcome);
    if (number == 0) gap_before = round.gap;
    if (!round.has_moved || round.gap <= gap_fraction * gap_before) break;
  }
  working_set_.move_w(chunk, alpha_before_);
  return chunk.size();
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
SweepInChunks::Round SweepInChunks::visit_all(std::span<const std::int64_t> chunk, double tolerance,
                                              Outcome& outcome) {
  const InnerProduct& product = *working_set_.inner_product();
  Round round;
  for (const std::int64_t block : chunk) {
    const BlockVisit::Outcome visit = visit_.improve(working_set_, block, local_w_, tolerance);
    round.gap += visit.gap;
    outcome.gain += visit.gain;
    outcome.work += visit.work;
    if (!visit.has_moved) continue;
    round.has_moved = true;
    product.add_chunk_product(working_set_.change_of(block, visit_.alpha_before()), local_w_);
  }
  return round;
}

}  // namespace sculpt::core
