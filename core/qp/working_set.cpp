#include "qp/working_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/products.hpp"

namespace sculpt::core {

WorkingSet::WorkingSet(std::int64_t block_count, std::int64_t dimension, double cap)
    : cap_(cap),
      blocks_(static_cast<std::size_t>(block_count)),
      w_(static_cast<std::size_t>(dimension), 0.0),
      scratch_(static_cast<std::size_t>(dimension), 0.0) {
  for (Block& block : blocks_) {
    block.a.emplace_back(SparseVector{});
    block.b.push_back(0);
    block.alpha.push_back(cap);
    block.output.push_back(0);
    block.idle.push_back(0);
    block.asleep.push_back(0);
    block.gram.push_back({0.0});
  }
}

bool WorkingSet::add(std::int64_t index, PlaneVector a, double b, std::uint64_t output) {
  Block& block = this->block(index);
  if (std::find(block.output.begin() + 1, block.output.end(), output) != block.output.end()) {
    return false;
  }
  block.entries += a.entry_count();
  entries_ += a.entry_count();
  block.a.push_back(std::move(a));
  block.b.push_back(b);
  block.alpha.push_back(0);
  block.output.push_back(output);
  block.idle.push_back(0);
  block.asleep.push_back(0);

  // Scattered once, each product costs the other plane's entries alone.
  const std::size_t size = block.size();
  block.a.back().scatter(scratch_);
  std::vector<double> row(size);
  for (std::size_t p = 0; p < size; ++p) row[p] = block.a[p].dot(scratch_);
  block.a.back().unscatter(scratch_);
  for (std::size_t p = 0; p + 1 < size; ++p) block.gram[p].push_back(row[p]);
  block.gram.push_back(std::move(row));
  return true;
}

void WorkingSet::score(std::int64_t index, std::vector<double>& score) const {
  const Block& block = this->block(index);
  const std::size_t size = block.size();
  score.assign(block.b.begin(), block.b.end());
  if (!in_gram_space()) {
    for (std::size_t p = 1; p < size; ++p) score[p] -= block.a[p].dot(w_);
    return;
  }
  for (std::size_t q = 1; q < size; ++q) {
    const double alpha = block.alpha[q];
    if (alpha == 0) continue;
    const std::vector<double>& row = block.gram[q];
    for (std::size_t p = 0; p < size; ++p) score[p] -= alpha * row[p];
  }
}

std::size_t WorkingSet::score_awake(std::int64_t index, std::vector<double>& score) const {
  const Block& block = this->block(index);
  if (in_gram_space()) {
    this->score(index, score);
    return block.size();
  }
  std::size_t entries = 0;
  score.assign(block.b.begin(), block.b.end());
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (block.asleep[p] != 0) {
      score[p] = -std::numeric_limits<double>::infinity();
    } else {
      score[p] -= block.a[p].dot(w_);
      entries += block.a[p].entry_count();
    }
  }
  return entries;
}

void WorkingSet::move_w(std::int64_t index, const std::vector<double>& before) {
  if (in_gram_space()) return;
  const Block& block = this->block(index);
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (block.alpha[p] != before[p]) block.a[p].add_to(block.alpha[p] - before[p], w_);
  }
}

void WorkingSet::shift_w(const Vector& change) {
  axpy(1, change, w_);
}

void WorkingSet::refresh() {
  std::fill(w_.begin(), w_.end(), 0.0);
  double linear = 0;
  double magnitude = 0;
  for (const Block& block : blocks_) {
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (block.alpha[p] == 0) continue;
      block.a[p].add_to(block.alpha[p], w_);
      linear += block.alpha[p] * block.b[p];
      magnitude += block.alpha[p] * std::abs(block.b[p]);
    }
  }
  squared_norm_ = core::squared_norm(w_);
  dual_ = linear - 0.5 * squared_norm_;
  scale_ = magnitude + squared_norm_;
}

void WorkingSet::drop_idle(std::int32_t limit) {
  const auto keep = [](auto& values, const std::vector<std::size_t>& kept) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (kept[k] != k) values[k] = std::move(values[kept[k]]);
    }
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(kept.size()), values.end());
  };
  for (Block& block : blocks_) {
    std::vector<std::size_t> kept = {0};
    for (std::size_t p = 1; p < block.size(); ++p) {
      block.idle[p] = block.alpha[p] > 0 ? 0 : block.idle[p] + 1;
      if (block.idle[p] < limit) {
        kept.push_back(p);
      } else {
        block.entries -= block.a[p].entry_count();
        entries_ -= block.a[p].entry_count();
      }
    }
    if (kept.size() == block.size()) continue;
    keep(block.a, kept);
    keep(block.b, kept);
    keep(block.alpha, kept);
    keep(block.output, kept);
    keep(block.idle, kept);
    keep(block.asleep, kept);
    keep(block.gram, kept);
    for (std::vector<double>& row : block.gram) keep(row, kept);
  }
}

std::int64_t WorkingSet::plane_count() const {
  std::size_t count = 0;
  for (const Block& block : blocks_) count += block.size() - 1;
  return static_cast<std::int64_t>(count);
}

std::int64_t WorkingSet::active_count() const {
  std::int64_t count = 0;
  for (const Block& block : blocks_) {
    count += std::count_if(block.alpha.begin() + 1, block.alpha.end(),
                           [](double alpha) { return alpha > 0; });
  }
  return count;
}

}  // namespace sculpt::core
