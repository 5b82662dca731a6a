#include "qp/sweep_in_parts.hpp"

#include <algorithm>
#include <tuple>

namespace sculpt::core {
namespace {

// The smallest work that is worth a thread, in entries of the blocks. And the ratio of these
// entries to the numbers that are copied and added up.
constexpr std::size_t min_entries = 1 << 15;
constexpr std::size_t entries_for_a_part = 16;

}  // namespace

bool SweepInParts::is_worth(std::span<const std::int64_t> blocks) const {
  if (working_set_.has_bounds() || working_set_.slack_term().is_forbidden()) return false;
  const std::size_t enough =
      std::max(min_entries, entries_for_a_part * working_set_.w().dense().size());
  std::size_t entries = 0;
  for (const std::int64_t block : blocks) {
    entries += working_set_.block(block).entries;
    if (entries >= enough) return blocks.size() > 1;
  }
  return false;
}

SweepInParts::Outcome SweepInParts::run(std::span<const std::int64_t> blocks, double tolerance,
                                        std::vector<double>& gap) {
  const std::size_t first_count = middle(blocks);
  const std::array<std::span<const std::int64_t>, part_count> shares{blocks.first(first_count),
                                                                     blocks.subspan(first_count)};
  const auto task = [&](std::int64_t number) {
    const auto k = static_cast<std::size_t>(number);
    sweep(parts_[k], shares[k], tolerance, gap);
  };
  if (workers_ == nullptr) {
    for (std::size_t k = 0; k < part_count; ++k) task(static_cast<std::int64_t>(k));
  } else {
    workers_->run(part_count, [&task](std::int64_t number, int) { task(number); });
  }
  auto& [one, other] = parts_;
  const double both = one.gain + other.gain - inner_product_of_moves();
  Outcome outcome{both, one.work + other.work, both < std::max(one.gain, other.gain)};
  if (!outcome.clashed) {
    working_set_.add_moves(one.w, other.w);
    return outcome;
  }
  const auto [better, worse] = one.gain >= other.gain ? std::tie(one, other) : std::tie(other, one);
  take_back(worse);
  working_set_.add_moves(better.w, working_set_.w().dense());
  outcome.gain = better.gain;
  return outcome;
}

void SweepInParts::sweep(Part& part, std::span<const std::int64_t> blocks, double tolerance,
                         std::vector<double>& gap) const {
  part.w = working_set_.w().dense();
  part.gain = part.work = 0;
  part.moved.clear();
  part.alpha_before.clear();
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const std::int64_t block = blocks[k];
    working_set_.prefetch_next(blocks, k);
    const BlockVisit::Outcome done = part.visit.improve(working_set_, block, part.w, tolerance);
    gap[static_cast<std::size_t>(block)] = done.gap;
    part.work += done.work;
    part.gain += done.gain;
    if (!done.moved) continue;
    const std::vector<double>& before = part.visit.alpha_before();
    working_set_.add_change(block, before, part.w);
    part.moved.push_back(block);
    part.alpha_before.insert(part.alpha_before.end(), before.begin(), before.end());
  }
}

// The position where half of the entries are reached, with at least one block on both sides.
std::size_t SweepInParts::middle(std::span<const std::int64_t> blocks) const {
  std::size_t left = 0;
  for (const std::int64_t block : blocks) left += working_set_.block(block).entries;
  left /= 2;
  std::size_t count = 0;
  while (count + 1 < blocks.size() && (count == 0 || left > 0)) {
    left -= std::min(left, working_set_.block(blocks[count]).entries);
    ++count;
  }
  return count;
}

void SweepInParts::take_back(const Part& part) {
  auto before = part.alpha_before.begin();
  for (const std::int64_t index : part.moved) {
    std::vector<double>& alpha = working_set_.block(index).alpha;
    const auto end = before + static_cast<std::ptrdiff_t>(alpha.size());
    std::copy(before, end, alpha.begin());
    before = end;
  }
}

double SweepInParts::inner_product_of_moves() const {
  const Vector& w = working_set_.w().dense();
  const auto& [one, other] = parts_;
  double sum = 0;
  for (std::size_t j = 0; j < w.size(); ++j) sum += (one.w[j] - w[j]) * (other.w[j] - w[j]);
  return sum;
}

}  // namespace sculpt::core
