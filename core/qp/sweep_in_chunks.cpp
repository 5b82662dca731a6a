#include "qp/sweep_in_chunks.hpp"

namespace sculpt::core {
namespace {

// A chunk is left when its gaps have fallen to this fraction, or after this many rounds.
constexpr double gap_fraction = 0.1;
constexpr int max_rounds = 20;

// Chunks between two measurements of all gaps.
constexpr int chunks_per_sweep = 4;

}  // namespace

SweepInChunks::Outcome SweepInChunks::run(std::span<const std::int64_t> blocks, double tolerance) {
  Outcome outcome;
  for (int k = 0; k < chunks_per_sweep && !blocks.empty(); ++k) {
    blocks = blocks.subspan(run_chunk(blocks, tolerance, outcome));
  }
  return outcome;
}

// Returns the number of blocks it took.
std::size_t SweepInChunks::run_chunk(std::span<const std::int64_t> blocks, double tolerance,
                                     Outcome& outcome) {
  InnerProduct& product = *working_set_.inner_product();
  const auto chunk = blocks.first(product.set_chunk(blocks));
  if (chunk.empty()) return visit_alone(blocks.front(), tolerance, outcome);
  local_w_.resize(working_set_.w().dense().size());
  product.copy_chunk(working_set_.w().dense(), local_w_);
  alpha_before_.clear();
  for (const std::int64_t block : chunk) {
    const std::vector<double>& alpha = working_set_.block(block).alpha;
    alpha_before_.insert(alpha_before_.end(), alpha.begin(), alpha.end());
  }
  const double gap_before = visit_all(chunk, tolerance, outcome);
  for (int round = 1; round < max_rounds; ++round) {
    if (visit_all(chunk, tolerance, outcome) <= gap_fraction * gap_before) break;
  }
  working_set_.move_w(chunk, alpha_before_);
  return chunk.size();
}

// For a block that is too large for a chunk. Returns 1.
std::size_t SweepInChunks::visit_alone(std::int64_t block, double tolerance, Outcome& outcome) {
  const BlockVisit::Outcome visit =
      visit_.improve(working_set_, block, working_set_.w(), tolerance);
  outcome.gain += visit.gain;
  outcome.work += visit.work;
  if (visit.has_moved) working_set_.move_w(block, visit_.alpha_before());
  return 1;
}

// Visits each block once. Returns the sum of their gaps before.
double SweepInChunks::visit_all(std::span<const std::int64_t> chunk, double tolerance,
                                Outcome& outcome) {
  InnerProduct& product = *working_set_.inner_product();
  double gap = 0;
  for (const std::int64_t block : chunk) {
    const BlockVisit::Outcome visit = visit_.improve(working_set_, block, local_w_, tolerance);
    gap += visit.gap;
    outcome.gain += visit.gain;
    outcome.work += visit.work;
    if (!visit.has_moved) continue;
    product.add_chunk_product(working_set_.change_of(block, visit_.alpha_before()), local_w_);
  }
  return gap;
}

}  // namespace sculpt::core
