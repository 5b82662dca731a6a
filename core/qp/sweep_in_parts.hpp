// sweep_in_parts.hpp - a sweep over many blocks in two parts at the same time, each with its own w.
//
// Called by QpSolver. Each part makes block steps as if the blocks of the other did not move. Then
// the moves of w are added up. D is quadratic. With m the move of w by a part,
//
//   D(alpha + both changes) - D(alpha) = gain_1 + gain_2 - <m_1, m_2>
//
// is known exactly. If both together gain less than the better part alone, the alpha of the other
// part is restored. The parts depend on the blocks only, so the result does not depend on the
// number of threads. Not used with bounds on w, nor if slacks are forbidden: all blocks then share
// one price.
//
// Source: the parts of CoCoA (Jaggi et al. 2014). CoCoA shortens the moves before it adds them.
// Here they are added as they are, and checked.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel/workers.hpp"
#include "qp/block/block_visit.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class SweepInParts {
 public:
  // Both must outlive it; workers == nullptr: one part after the other.
  SweepInParts(WorkingSet& working_set, Workers* workers)
      : working_set_(working_set), workers_(workers) {}

  // True if the blocks are enough work for two parts, compared with the cost of copying w.
  bool is_worthwhile(std::span<const std::int64_t> blocks) const;

  struct Outcome {
    double gain = 0;            // of the dual
    double work = 0;            // plane entries touched
    bool has_conflict = false;  // both gained less than one alone: alpha of the other was restored
  };

  // Visits the first blocks in one part and the last ones in the other, in the given order. Each
  // visit ends when the gap of the block is at most `tolerance`. Sets gap[block] to the gap before
  // the visit. Requires is_worthwhile(blocks).
  Outcome run(std::span<const std::int64_t> blocks, double tolerance, std::vector<double>& gap);

 private:
  static constexpr std::size_t part_count = 2;

  struct Part {
    Vector w;
    BlockVisit visit;
    double gain = 0;
    double work = 0;
    std::vector<std::int64_t> moved_blocks;
    std::vector<double> alpha_before;  // of moved_blocks, one after the other
  };

  void sweep(Part& part, std::span<const std::int64_t> blocks, double tolerance,
             std::vector<double>& gap) const;
  std::size_t count_of_first_part(std::span<const std::int64_t> blocks) const;
  void restore_alpha(const Part& part);
  double inner_product_of_moves() const;

  WorkingSet& working_set_;
  Workers* workers_;
  std::array<Part, part_count> parts_;
};

}  // namespace sculpt::core
