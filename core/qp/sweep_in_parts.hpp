// sweep_in_parts.hpp - a sweep over many blocks in two parts at a time, each with a w of its own.
//
// Called by QpSolver. Each part makes block steps as if the blocks of the other stood still; then
// the moves of w are added up. D is quadratic, so that with m the move of w by a part
//
//   D(alpha + both changes) - D(alpha) = gain_1 + gain_2 - <m_1, m_2>
//
// is known exactly. Where both together gain less than the better part alone, the other one is
// taken back. The parts follow from the blocks alone: the result does not depend on the number of
// threads. Not with bounds on w, nor where slacks are forbidden, whose price all blocks share.
//
// Source: the parts of CoCoA (Jaggi et al. 2014), with moves added as they are and checked, where
// that shortens them beforehand.
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
  // Both outlive it; workers == nullptr: one part after the other.
  SweepInParts(WorkingSet& working_set, Workers* workers)
      : working_set_(working_set), workers_(workers) {}

  // Whether the blocks are work enough for two, against what copies of w cost.
  bool is_worth(std::span<const std::int64_t> blocks) const;

  struct Outcome {
    double gain = 0;       // of the dual
    double work = 0;       // plane entries touched
    bool clashed = false;  // one part was taken back
  };

  // Visits the first blocks in one part and the last in the other, in the order given, each until
  // its gap is at most `tolerance`; gap[block] becomes what the visit found. Requires
  // is_worth(blocks).
  Outcome run(std::span<const std::int64_t> blocks, double tolerance, std::vector<double>& gap);

 private:
  static constexpr std::size_t part_count = 2;

  struct Part {
    Vector w;
    BlockVisit visit;
    double gain = 0;
    double work = 0;
    std::vector<std::int64_t> moved;   // blocks
    std::vector<double> alpha_before;  // of these, one after the other
  };

  void sweep(Part& part, std::span<const std::int64_t> blocks, double tolerance,
             std::vector<double>& gap) const;
  std::size_t middle(std::span<const std::int64_t> blocks) const;
  void take_back(const Part& part);
  double inner_product_of_moves() const;

  WorkingSet& working_set_;
  Workers* workers_;
  std::array<Part, part_count> parts_;
};

}  // namespace sculpt::core
