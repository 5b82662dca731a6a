// working_set_reduction.cpp - drops and merges planes of the working set.

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

std::size_t Block::bytes() const {
  return sizeof(Block) + gram.bytes() + bytes_without(0, 0);
}

// Bytes of all planes except p and q (0: leave out none). A shared input vector counts once.
std::size_t Block::bytes_without(std::size_t p, std::size_t q) const {
  std::size_t sum = plane_bytes;
  for (std::size_t r = 1; r < size(); ++r) {
    if (r == p || r == q) continue;
    sum += plane_bytes;
    bool is_counted = false;
    for (std::size_t s = 1; s < r && a[r].is_class_difference() && !is_counted; ++s) {
      is_counted = s != p && s != q && a[r].shares_input(a[s]);
    }
    if (!is_counted) sum += a[r].bytes();
  }
  return sum;
}

void WorkingSet::age() {
  for (Block& block : blocks_) {
    for (std::size_t p = 1; p < block.size(); ++p) {
      block.age[p] = block.alpha[p] > 0 ? 0 : block.age[p] + 1;
    }
  }
}

void WorkingSet::drop_from_age(std::int32_t min_age) {
  std::vector<std::size_t> kept;
  for (Block& block : blocks_) {
    kept = {0};
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (block.age[p] < min_age) kept.push_back(p);
    }
    if (kept.size() < block.size()) keep_planes(block, kept);
  }
  accept_alpha_after_drop();
}

void WorkingSet::keep_idle_at_most(std::size_t max_idle) {
  std::vector<std::size_t> kept;
  std::vector<std::size_t> idle;
  for (Block& block : blocks_) {
    kept = {0};
    idle.clear();
    for (std::size_t p = 1; p < block.size(); ++p) {
      (block.alpha[p] > 0 ? kept : idle).push_back(p);
    }
    if (idle.size() <= max_idle) continue;
    // Of equal age the later planes come first: they are of a w nearer to the current one.
    std::sort(idle.begin(), idle.end(), [&block](std::size_t p, std::size_t q) {
      return block.age[p] != block.age[q] ? block.age[p] < block.age[q] : p > q;
    });
    kept.insert(kept.end(), idle.begin(), idle.begin() + static_cast<std::ptrdiff_t>(max_idle));
    std::sort(kept.begin(), kept.end());
    keep_planes(block, kept);
  }
  accept_alpha_after_drop();
}

// Keeps only these planes of a block. Requires increasing indices that begin with 0.
void WorkingSet::keep_planes(Block& block, const std::vector<std::size_t>& kept) {
  accepted_.dual = AlphaSnapshot::none;  // tells accept_alpha_after_drop() that planes were dropped
  const auto keep_in = [&kept](auto& values) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (kept[k] != k) values[k] = std::move(values[kept[k]]);
    }
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(kept.size()), values.end());
  };
  keep_in(block.a);
  keep_in(block.b);
  keep_in(block.alpha);
  keep_in(block.key);
  keep_in(block.age);
  keep_in(block.shrunk);
  block.gram.keep(kept);
  block.changed = true;
  entries_ -= block.entries;
  block.entries = 0;
  for (const PlaneVector& a : block.a) block.entries += a.entry_count();
  entries_ += block.entries;
}

bool WorkingSet::merge(std::int64_t index, std::size_t p, std::size_t q) {
  Block& block = this->block(index);
  const double alpha = block.alpha[p] + block.alpha[q];
  if (alpha == 0) return false;
  const double p_fraction = block.alpha[p] / alpha;
  const double q_fraction = block.alpha[q] / alpha;
  PlaneVector a = mean(block.a[p], p_fraction, block.a[q]);
  const std::size_t product_count = 2 * block.size() - 1;  // row and column of the products
  const std::size_t bytes_of_both = block.bytes_without(0, 0) - block.bytes_without(p, q);
  const std::size_t saved = bytes_of_both + product_count * sizeof(double);
  if (Block::plane_bytes + a.bytes() >= saved) return false;
  std::vector<std::size_t> kept(block.size());  // first: it may throw, and nothing has changed
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(q));
  const double squared = p_fraction * p_fraction * block.gram[p][p] +
                         q_fraction * q_fraction * block.gram[q][q] +
                         2 * p_fraction * q_fraction * block.gram[p][q];
  for (std::size_t r = 0; r < block.size(); ++r) {
    const double product = p_fraction * block.gram[r][p] + q_fraction * block.gram[r][q];
    block.gram[r][p] = block.gram[p][r] = product;
  }
  block.gram[p][p] = squared;
  keep(block, a);
  block.a[p] = std::move(a);
  block.b[p] = p_fraction * block.b[p] + q_fraction * block.b[q];
  block.alpha[p] = alpha;
  block.age[p] = 0;
  block.shrunk[p] = 0;
  // The merged plane has no output. Its key is made from both keys.
  const std::array<std::uint64_t, 2> keys = {block.key[p], block.key[q]};
  block.key[p] = XXH3_64bits(keys.data(), sizeof keys);
  keep_planes(block, kept);
  return true;
}

// fraction x + (1 - fraction) y
PlaneVector WorkingSet::mean(const PlaneVector& x, double fraction, const PlaneVector& y) {
  x.add_to(fraction, scratch_);
  y.add_to(1 - fraction, scratch_);
  if (x.is_dense() || y.is_dense()) {
    PlaneVector sum(scratch_);
    std::fill(scratch_.begin(), scratch_.end(), 0.0);
    return sum;
  }
  SparseVector sum;
  append_columns(x, sum.index);
  append_columns(y, sum.index);
  return PlaneVector(take_scratch(std::move(sum)));
}

// Moves the entries of scratch_ at sum.index to `sum`: increasing, each once, none of them 0. They
// are sorted last, because sum.index may have a column many times.
SparseVector WorkingSet::take_scratch(SparseVector sum) {
  std::vector<std::pair<std::int32_t, double>> entries;
  for (const std::int32_t j : sum.index) {
    const double value = std::exchange(scratch_[static_cast<std::size_t>(j)], 0.0);
    if (value != 0) entries.emplace_back(j, value);
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& x, const auto& y) { return x.first < y.first; });
  sum.index.resize(entries.size());
  sum.value.resize(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    sum.index[k] = entries[k].first;
    sum.value[k] = entries[k].second;
  }
  return sum;
}

// Stores the current alpha as accepted if planes were dropped. keep_planes() then has set the
// accepted dual to `none`, because the stored alpha belongs to other planes.
void WorkingSet::accept_alpha_after_drop() {
  if (accepted_.dual != AlphaSnapshot::none) return;
  accepted_ = {dual_, dual_magnitude_, {}, {}};
  for (const Block& block : blocks_) accepted_.add_block(block.alpha);
}

std::size_t WorkingSet::bytes() const {
  return std::accumulate(blocks_.begin(), blocks_.end(), std::size_t{0},
                         [](std::size_t sum, const Block& block) { return sum + block.bytes(); });
}

}  // namespace sculpt::core
