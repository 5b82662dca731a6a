// kernel_rows.hpp - rows of the kernel's matrix over the training atoms, computed when they are
// first needed, and kept in a limited memory.
//
// Rows are floats, which halves their memory and their time: a step reads one row for each atom
// that it moves. So training works with the matrix of the rounded values, which is symmetric too.
// KernelProduct computes scores from exact values for the last certificate. Held by KernelProduct.
// A row has the same values whenever it is computed, so results do not depend on the memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "parallel/workers.hpp"
#include "problem/components/dataset.hpp"
#include "problem/kernel/kernel.hpp"

namespace sculpt::core {

// Rounds values of a kernel to single precision. Throws Failure(Exit::data) if one is too large.
void round_values(std::span<const double> values, float* to);

class KernelRows {
 public:
  // `atoms`: the range of the training atoms. Both references must outlive it. `max_bytes`: of the
  // rows in memory; a few rows are always kept. Throws Failure(Exit::memory) if there is no memory
  // for them.
  KernelRows(Kernel& kernel, Workers& workers, Range atoms, std::int64_t max_bytes);

  std::size_t size() const { return others_.size(); }  // of a row

  // Computes those of these rows that are not in memory, on all threads. Atoms are counted from the
  // first training atom. At most max_loaded() of them stay in memory until the next call. [main]
  void load(std::span<const std::int32_t> atoms);
  std::size_t max_loaded() const { return max_slots_; }
  // [size()] the row of an atom. Valid until the next load(). Requires load() of it. [any]
  const float* row(std::int32_t atom) const {
    return slots_[static_cast<std::size_t>(slot_of_row_[static_cast<std::size_t>(atom)])].get();
  }

  std::int64_t computed_count() const { return computed_; }  // rows computed
  std::int64_t asked_count() const { return asked_; }        // rows asked for

 private:
  std::size_t take_slot();
  void compute(std::span<const std::int32_t> atoms);

  Kernel& kernel_;
  Workers& workers_;
  std::vector<std::int64_t> others_;  // all training atoms
  std::size_t max_slots_;
  std::vector<std::unique_ptr<float[]>> slots_;  // [slots][atoms]
  std::vector<std::int32_t> row_of_slot_;        // [slots] -1: being computed
  std::vector<std::int64_t> used_at_;            // [slots] the call that asked for it last
  std::vector<std::int32_t> slot_of_row_;        // [atoms] -1: not in memory
  std::size_t hand_ = 0;                         // the next slot that may be used again
  std::int64_t calls_ = 0;
  std::int64_t computed_ = 0;
  std::int64_t asked_ = 0;
};

}  // namespace sculpt::core
