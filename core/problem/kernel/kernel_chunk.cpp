#include "problem/kernel/kernel_chunk.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sculpt::core {
namespace {

constexpr std::size_t max_atoms = 256;

constexpr std::size_t rows_per_task = 16;

}  // namespace

KernelChunk::KernelChunk(KernelRows& rows, const KernelParts& parts, Workers& workers,
                         const KernelLayout& layout, std::span<const Range> atoms_of_example)
    : rows_(rows),
      parts_(parts),
      workers_(workers),
      layout_(layout),
      atoms_of_example_(atoms_of_example) {}

std::size_t KernelChunk::start(std::span<const std::int64_t> examples,
                               const ChunkProduct* previous) {
  take(examples);
  previous_atoms_.clear();
  if (previous != nullptr) {
    previous_atoms_ = static_cast<const KernelChunk*>(previous)->atoms_;
    std::sort(previous_atoms_.begin(), previous_atoms_.end());
  }
  rows_.load(atoms_);
  prepare_copy();
  return members_.size();
}

void KernelChunk::take(std::span<const std::int64_t> examples) {
  const std::size_t most = std::min(max_atoms, rows_.max_loaded());
  const auto blocks = static_cast<std::size_t>(layout_.blocks);
  members_.clear();
  atoms_.clear();
  for (const std::int64_t example : examples) {
    const Range atoms = atoms_of_example_[static_cast<std::size_t>(example)];
    const auto size = static_cast<std::size_t>(atoms.size());
    if (atoms_.size() + size > most) break;
    members_.push_back({atoms, atoms_.size()});
    for (std::int64_t t = atoms.begin; t < atoms.end; ++t) {
      atoms_.push_back(static_cast<std::int32_t>(t));
    }
    if (coefficients_.size() < blocks * size) coefficients_.resize(blocks * size, 0.0);
  }
}

// The rows stay in memory while others are loaded once, if the rows of three calls fit. Else they
// are copied at once.
void KernelChunk::prepare_copy() {
  const std::size_t size = atoms_.size();
  values_.resize(size * size);
  previous_values_.resize(previous_atoms_.size() * size);
  copy_tasks_ = static_cast<std::int64_t>((size + rows_per_task - 1) / rows_per_task);
  if (rows_.max_loaded() >= 3 * max_atoms) return;
  workers_.run(copy_tasks_, [&](std::int64_t task, int) { copy(task); });
  copy_tasks_ = 0;
}

// From a few rows of this chunk. The matrix is symmetric, so its lower triangle is enough. A task
// writes whole cache lines, and no other task writes them.
void KernelChunk::copy(std::int64_t task) {
  const std::size_t size = atoms_.size();
  const std::size_t begin = static_cast<std::size_t>(task) * rows_per_task;
  const std::size_t end = std::min(begin + rows_per_task, size);
  std::array<const float*, rows_per_task> rows;
  for (std::size_t k = begin; k < end; ++k) rows[k - begin] = rows_.row(atoms_[k]);
  for (std::size_t l = 0; l < end; ++l) {
    for (std::size_t k = std::max(begin, l); k < end; ++k) {
      values_[k * size + l] = values_[l * size + k] = rows[k - begin][atoms_[l]];
    }
  }
  for (std::size_t p = 0; p < previous_atoms_.size(); ++p) {
    for (std::size_t k = begin; k < end; ++k) {
      previous_values_[p * size + k] = rows[k - begin][previous_atoms_[p]];
    }
  }
}

void KernelChunk::copy_w(const Vector& w, Vector& local) {
  const auto count = static_cast<std::size_t>(layout_.training_count());
  scores_.resize(static_cast<std::size_t>(layout_.blocks) * atoms_.size());
  double* score = scores_.data();
  for (std::size_t block = 0; block < static_cast<std::size_t>(layout_.blocks); ++block) {
    const double* const from = w.data() + block * count;
    for (const std::int32_t atom : atoms_) *score++ = from[atom];
  }
  local.resize(w.size());
  const auto linear = static_cast<std::ptrdiff_t>(layout_.linear_from());
  std::copy(w.begin() + linear, w.end(), local.begin() + linear);
}

void KernelChunk::follow(const SparseVector& change, Vector& local) {
  const std::int64_t count = layout_.training_count();
  const std::size_t size = atoms_.size();
  std::size_t k = 0;
  while (k < change.index.size() && change.index[k] < layout_.linear_from()) {
    const std::int64_t block = change.index[k] / count;
    terms_.clear();
    for (; k < change.index.size() && change.index[k] < (block + 1) * count; ++k) {
      const auto atom = static_cast<std::int32_t>(change.index[k] - block * count);
      const auto place = std::lower_bound(previous_atoms_.begin(), previous_atoms_.end(), atom);
      const auto number = static_cast<std::size_t>(place - previous_atoms_.begin());
      terms_.push_back({previous_values_.data() + number * size, change.value[k]});
    }
    add_terms(terms_, 0, size, scores_.data() + static_cast<std::size_t>(block) * size);
  }
  for (; k < change.index.size(); ++k) {
    local[static_cast<std::size_t>(change.index[k])] += change.value[k];
  }
}

void KernelChunk::show(std::size_t example, Vector& local) const {
  const Member& member = members_[example];
  const auto count = static_cast<std::size_t>(layout_.training_count());
  for (std::int64_t t = member.atoms.begin; t < member.atoms.end; ++t) {
    const std::size_t number = member.first + static_cast<std::size_t>(t - member.atoms.begin);
    const auto copy = [&](std::size_t block) {
      local[block * count + static_cast<std::size_t>(t)] = scores_[block * atoms_.size() + number];
    };
    for (const std::size_t block : parts_.blocks(static_cast<std::int32_t>(t))) copy(block);
    for (const std::size_t block : parts_.full_blocks()) copy(block);
  }
}

// Adds a plane to the coefficients, and its linear part to `local`.
void KernelChunk::collect(const Member& member, const PlaneVector& a, double factor,
                          Vector& local) {
  const auto count = static_cast<std::uint32_t>(layout_.training_count());
  const auto linear_from = static_cast<std::size_t>(layout_.linear_from());
  const auto first = static_cast<std::uint32_t>(member.atoms.begin);
  const auto size = static_cast<std::uint32_t>(member.atoms.size());
  a.for_each_entry([&](std::size_t j, double value) {
    if (j >= linear_from) {
      local[j] += factor * value;
      return;
    }
    const auto column = static_cast<std::uint32_t>(j);
    const std::uint32_t block = column / count;
    const std::uint32_t place = block * size + (column - block * count - first);
    if (coefficients_[place] == 0) places_.push_back(place);
    coefficients_[place] += factor * value;
  });
}

void KernelChunk::move(std::size_t example, std::span<const PlaneVector> a,
                       std::span<const double> change, Vector& local) {
  const Member& member = members_[example];
  places_.clear();
  for (std::size_t p = 0; p < a.size(); ++p) {
    if (change[p] != 0) collect(member, a[p], change[p], local);
  }
  std::sort(places_.begin(), places_.end());
  const auto size = static_cast<std::uint32_t>(member.atoms.size());
  terms_.clear();
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const std::uint32_t place = places_[k];
    const double coefficient = std::exchange(coefficients_[place], 0.0);
    const std::uint32_t block = place / size;
    if (coefficient != 0) {
      const std::size_t number = member.first + (place - block * size);
      terms_.push_back({values_.data() + number * atoms_.size(), coefficient});
    }
    if (k + 1 < places_.size() && places_[k + 1] < (block + 1) * size) continue;
    add_terms(terms_, 0, atoms_.size(), scores_.data() + block * atoms_.size());
    terms_.clear();
  }
}

}  // namespace sculpt::core
