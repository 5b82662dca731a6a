#include "qp/sweep_in_parts.hpp"

#include <algorithm>
#include <tuple>

namespace sculpt::core {
namespace {

// The smallest work that is worth a thread, in entries of the blocks. The second is the smallest
// ratio of these entries to the numbers that are copied and added up.
constexpr std::size_t min_entries = 1 << 15;
constexpr std::size_t min_entries_per_weight = 16;

}  // namespace

bool SweepInParts::is_worthwhile(std::span<const std::int64_t> blocks) const {
  if (working_set_.has_bounds() || working_set_.slack_term().is_forbidden()) return false;
  if (working_set_.inner_product() != nullptr) return false;  // a part would need its own cache
  const std::size_t required =
      std::max(min_entries, min_entries_per_weight * working_set_.w().dense().size());
  std::size_t entries = 0;
  for (const std::int64_t block : blocks) {
    entries += working_set_.block(block).entries;
    if (entries >= required) return blocks.size() > 1;
  }
  return false;
}

SweepInParts::Outcome SweepInParts::run(std::span<const std::int64_t> blocks, double tolerance,
                                        std::vector<double>& gap) {
  const std::size_t first_count = count_of_first_part(blocks);
  const std::array<std::span<const std::int64_t>, part_count> part_blocks{
      blocks.first(first_count), blocks.subspan(first_count)};
  const auto task = [&](std::int64_t number) {
    const auto k = static_cast<std::size_t>(number);
    sweep(parts_[k], part_blocks[k], tolerance, gap);
  };
  if (workers_ == nullptr) {
    for (std::size_t k = 0; k < part_count; ++k) task(static_cast<std::int64_t>(k));
  } else {
    workers_->run(part_count, [&task](std::int64_t number, int) { task(number); });
  }
  auto& [first, second] = parts_;
  const double both = first.gain + second.gain - inner_product_of_moves();
  Outcome outcome{both, first.work + second.work, both < std::max(first.gain, second.gain)};
  if (!outcome.has_conflict) {
    working_set_.add_moves(first.w, second.w);
    return outcome;
  }
  const auto [better, worse] =
      first.gain >= second.gain ? std::tie(first, second) : std::tie(second, first);
  restore_alpha(worse);
  working_set_.add_moves(better.w, working_set_.w().dense());
  outcome.gain = better.gain;
  return outcome;
}

void SweepInParts::sweep(Part& part, std::span<const std::int64_t> blocks, double tolerance,
                         std::vector<double>& gap) const {
  part.w = working_set_.w().dense();
  part.gain = part.work = 0;
  part.moved_blocks.clear();
  part.alpha_before.clear();
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const std::int64_t block = blocks[k];
    working_set_.prefetch_next(blocks, k);
    const BlockVisit::Outcome outcome = part.visit.improve(working_set_, block, part.w, tolerance);
    gap[static_cast<std::size_t>(block)] = outcome.gap;
    part.work += outcome.work;
    part.gain += outcome.gain;
    if (!outcome.has_moved) continue;
    const std::vector<double>& alpha_before = part.visit.alpha_before();
    working_set_.add_change(block, alpha_before, part.w);
    part.moved_blocks.push_back(block);
    part.alpha_before.insert(part.alpha_before.end(), alpha_before.begin(), alpha_before.end());
  }
}

// The number of blocks that have about half of the entries, with at least one block in each part.
std::size_t SweepInParts::count_of_first_part(std::span<const std::int64_t> blocks) const {
  std::size_t wanted = 0;
  for (const std::int64_t block : blocks) wanted += working_set_.block(block).entries;
  wanted /= 2;
  std::size_t count = 0;
  while (count + 1 < blocks.size() && (count == 0 || wanted > 0)) {
    wanted -= std::min(wanted, working_set_.block(blocks[count]).entries);
    ++count;
  }
  return count;
}

void SweepInParts::restore_alpha(const Part& part) {
  auto stored = part.alpha_before.begin();
  for (const std::int64_t index : part.moved_blocks) {
    std::vector<double>& alpha = working_set_.block(index).alpha;
    const auto end = stored + static_cast<std::ptrdiff_t>(alpha.size());
    std::copy(stored, end, alpha.begin());
    stored = end;
  }
}

double SweepInParts::inner_product_of_moves() const {
  const Vector& w = working_set_.w().dense();
  const auto& [first, second] = parts_;
  double sum = 0;
  for (std::size_t j = 0; j < w.size(); ++j) sum += (first.w[j] - w[j]) * (second.w[j] - w[j]);
  return sum;
}

}  // namespace sculpt::core
