// kernel_parts.hpp - the columns in use of a problem with a kernel, and the parts of the kernel's
// rows there.
//
// A column is an atom and a block. Planes use few of them: an atom is wrong about a few blocks
// alone. A change of one coefficient in block b matters to the scores of b at the atoms that use b.
// These parts of a row are short, and lie one after the other in memory. Held by KernelProduct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file/state_stream.hpp"
#include "parallel/workers.hpp"
#include "problem/kernel/kernel_rows.hpp"

namespace sculpt::core {

// Sorts them, each once.
void make_distinct(std::vector<std::int32_t>& atoms);

class KernelParts {
 public:
  // Both references must outlive it. Atoms are counted from the first training atom. `max_bytes`:
  // of the parts in memory; those of one call of load() always are.
  KernelParts(KernelRows& rows, Workers& workers, std::size_t block_count, std::int64_t max_bytes);

  // Adds a column. If a quarter of the atoms use a block, all of them do. [main]
  void use(std::size_t block, std::int32_t atom);
  // Any thread, while no column is added.
  bool is_in_use(std::size_t block, std::size_t atom) const {
    return is_full(block) || is_in_use_[block * rows_.size() + atom] != 0;
  }
  // values[k] = 0 where atom from + k uses the block. Requires !is_full(block). Any thread, while
  // no column is added.
  void clear_in_use(std::size_t block, std::size_t from, std::span<double> values) const {
    const std::uint8_t* const flags = is_in_use_.data() + block * rows_.size() + from;
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = flags[k] != 0 ? 0 : values[k];
  }
  // True if all atoms use it. It has no parts then: they would be the rows.
  bool is_full(std::size_t block) const { return is_full_[block] != 0; }
  // The atoms that use a block, in the order of use(). Requires !is_full(block).
  std::span<const std::int32_t> atoms(std::size_t block) const { return atoms_[block]; }

  // The blocks that an atom uses, without full ones.
  std::span<const std::size_t> blocks(std::int32_t atom) const {
    return blocks_[static_cast<std::size_t>(atom)];
  }
  // The full blocks.
  std::span<const std::size_t> full_blocks() const { return full_blocks_; }

  // A coefficient of an atom in a block.
  struct Entry {
    std::int32_t atom;
    std::size_t block;
    double value;
  };
  // Computes the parts of these entries that are not in memory, and those rows. Entries differ, and
  // have at most KernelRows::max_loaded() atoms. [main]
  void load(std::span<const Entry> entries);
  // [atoms(block).size()], or the whole row if the block is full: k between the atom of an entry
  // and the atoms that use its block. Valid until the next use() or load(). Requires load() of the
  // entry. [any]
  const float* part(const Entry& entry) const;

  // The columns in use, which decide how sums are rounded.
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  struct Part {
    std::size_t block;
    std::vector<float> values;
  };

  Part& part_of(std::int32_t atom, std::size_t block);
  void fill_part(const Entry& entry);
  void prefetch_parts(std::span<const Entry> entries, std::size_t k) const;
  void set_full(std::size_t block);
  void drop_parts();

  KernelRows& rows_;
  Workers& workers_;
  std::vector<std::vector<std::int32_t>> atoms_;  // [blocks]
  std::vector<std::uint8_t> is_in_use_;           // [blocks][atoms], of blocks that are not full
  std::vector<std::vector<std::size_t>> blocks_;  // [atoms]
  std::vector<std::uint8_t> is_full_;             // [blocks]
  std::vector<std::size_t> full_blocks_;
  std::vector<std::vector<Part>> parts_;  // [atoms]
  std::size_t max_values_;                // of all parts
  std::size_t value_count_ = 0;           // likewise
};

}  // namespace sculpt::core
