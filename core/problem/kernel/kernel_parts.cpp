#include "problem/kernel/kernel_parts.hpp"

#include <algorithm>

#include "linalg/prefetch.hpp"

namespace sculpt::core {

void make_distinct(std::vector<std::int32_t>& atoms) {
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
}

KernelParts::KernelParts(KernelRows& rows, Workers& workers, std::size_t block_count,
                         std::int64_t max_bytes)
    : rows_(rows),
      workers_(workers),
      atoms_(block_count),
      is_in_use_(block_count * rows.size(), 0),
      blocks_(rows.size()),
      is_full_(block_count, 0),
      parts_(rows.size()),
      max_values_(static_cast<std::size_t>(max_bytes) / sizeof(float)) {}

void KernelParts::use(std::size_t block, std::int32_t atom) {
  if (is_in_use(block, static_cast<std::size_t>(atom))) return;
  is_in_use_[block * rows_.size() + static_cast<std::size_t>(atom)] = 1;
  blocks_[static_cast<std::size_t>(atom)].push_back(block);
  atoms_[block].push_back(atom);
  if (4 * atoms_[block].size() > rows_.size()) set_full(block);
}

void KernelParts::set_full(std::size_t block) {
  is_full_[block] = 1;
  full_blocks_.push_back(block);
  for (std::vector<std::size_t>& blocks : blocks_) std::erase(blocks, block);
  for (std::vector<Part>& parts : parts_) {
    std::erase_if(parts, [&](const Part& part) {
      if (part.block != block) return false;
      value_count_ -= part.values.size();
      return true;
    });
  }
}

KernelParts::Part& KernelParts::part_of(std::int32_t atom, std::size_t block) {
  std::vector<Part>& parts = parts_[static_cast<std::size_t>(atom)];
  const auto part = std::find_if(parts.begin(), parts.end(),
                                 [block](const Part& other) { return other.block == block; });
  return part != parts.end() ? *part : parts.emplace_back(Part{block, {}});
}

const float* KernelParts::part(const Entry& entry) const {
  if (is_full(entry.block)) return rows_.row(entry.atom);
  const std::vector<Part>& parts = parts_[static_cast<std::size_t>(entry.atom)];
  return std::find_if(parts.begin(), parts.end(),
                      [&entry](const Part& part) { return part.block == entry.block; })
      ->values.data();
}

void KernelParts::drop_parts() {
  for (std::vector<Part>& parts : parts_) std::vector<Part>().swap(parts);
  value_count_ = 0;
}

// The parts of an atom lie anywhere in memory.
void KernelParts::prefetch_parts(std::span<const Entry> entries, std::size_t k) const {
  constexpr std::size_t ahead = 8;
  keep_prefetches();
  if (k + 2 * ahead < entries.size()) {
    __builtin_prefetch(&parts_[static_cast<std::size_t>(entries[k + 2 * ahead].atom)]);
  }
  if (k + ahead < entries.size()) {
    __builtin_prefetch(parts_[static_cast<std::size_t>(entries[k + ahead].atom)].data());
  }
}

void KernelParts::load(std::span<const Entry> entries) {
  if (value_count_ > max_values_) drop_parts();
  std::vector<Entry> missing;
  std::vector<std::int32_t> needed;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    prefetch_parts(entries, k);
    const Entry& entry = entries[k];
    if (!is_full(entry.block)) {
      const std::size_t size = part_of(entry.atom, entry.block).values.size();
      if (size == atoms_[entry.block].size()) continue;
      value_count_ += atoms_[entry.block].size() - size;
      missing.push_back(entry);
    }
    needed.push_back(entry.atom);
  }
  make_distinct(needed);
  rows_.load(needed);
  constexpr std::int64_t parts_per_task = 16;
  workers_.run_ranges(std::ssize(missing), parts_per_task,
                      [&](std::int64_t begin, std::int64_t end, int) {
                        for (std::int64_t k = begin; k < end; ++k) {
                          fill_part(missing[static_cast<std::size_t>(k)]);
                        }
                      });
}

// With the values of the atoms that have begun to use the block.
void KernelParts::fill_part(const Entry& entry) {
  std::vector<float>& values = part_of(entry.atom, entry.block).values;
  const std::vector<std::int32_t>& atoms = atoms_[entry.block];
  const std::size_t known = values.size();
  if (values.capacity() < atoms.size()) values.reserve(atoms.size() + atoms.size() / 4);
  values.resize(atoms.size());
  const float* const row = rows_.row(entry.atom);
  float* const to = values.data();
  for (std::size_t l = known; l < atoms.size(); ++l) to[l] = row[atoms[l]];
}

void KernelParts::save(StateWriter& out) const {
  std::vector<std::int64_t> columns;
  for (std::size_t block = 0; block < atoms_.size(); ++block) {
    for (const std::int32_t atom : atoms_[block]) {
      columns.push_back(static_cast<std::int64_t>(block * rows_.size()) + atom);
    }
  }
  out.put_array(columns);
}

void KernelParts::load(StateReader& in) {
  std::vector<std::int64_t> columns;
  in.get_array(columns);
  const auto atom_count = static_cast<std::int64_t>(rows_.size());
  for (const std::int64_t column : columns) {
    in.require(column >= 0 && column < std::ssize(atoms_) * atom_count,
               "a column that is out of range");
    use(static_cast<std::size_t>(column / atom_count),
        static_cast<std::int32_t>(column % atom_count));
  }
}

}  // namespace sculpt::core
