// working_set.hpp - the planes found so far, block by block, with their dual variables.
//
// Filled by the solvers, optimized by Sweeps. n_slack has a block for each example with cap C/n and
// sparse planes, one_slack a single block with cap C and dense ones; one code serves both.
//
//   alpha  dual variable of a plane, sum over a block = cap (the zero plane takes the rest)
//   w      sum alpha a                     score  b - <w, a>: how far w violates the plane
//   xi_i   max of 0 and the block's scores
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "qp/plane_vector.hpp"

namespace sculpt::core {

// Plane 0 is the zero plane (a = 0, b = 0), output y_i itself: the constraint xi_i >= 0.
struct Block {
  std::vector<PlaneVector> a;             // [m]
  std::vector<double> b;                  // [m]
  std::vector<double> alpha;              // [m] >= 0, their sum is the cap
  std::vector<std::uint64_t> output;      // [m] hash, that of plane 0 means nothing
  std::vector<std::int32_t> idle;         // [m] QPs in a row that left alpha at 0
  std::vector<std::uint8_t> asleep;       // [m] 1: skipped by score_awake(); never with alpha > 0
  std::vector<std::vector<double>> gram;  // [m][m] <a_p, a_q>
  std::size_t entries = 0;                // stored entries of all planes: the cost of a scoring

  std::size_t size() const { return b.size(); }
};

class WorkingSet {
 public:
  // Requires cap > 0 and block_count > 0.
  WorkingSet(std::int64_t block_count, std::int64_t dimension, double cap);

  // Adds a plane with alpha = 0. False, and nothing added, when the block knows the output.
  bool add(std::int64_t block, PlaneVector a, double b, std::uint64_t output);

  // score[p] = b_p - <w, a_p> for the planes of one block. A single block needs no w: its scores
  // are b - Gram alpha, so that dense planes are not touched.
  void score(std::int64_t block, std::vector<double>& score) const;

  // The same with -infinity for planes asleep. Returns the entries touched.
  std::size_t score_awake(std::int64_t block, std::vector<double>& score) const;

  // Adds the change of one block's alpha to w; `before` is alpha as it was. No-op for a single
  // block, whose w refresh() builds.
  void move_w(std::int64_t block, const std::vector<double>& before);

  // w += change, the sum of changes of many alpha.
  void shift_w(const Vector& change);

  // w = sum alpha a and the dual, in a fixed order, so that no drift enters them.
  void refresh();

  // Ages the planes by one QP and drops those with alpha = 0 for `limit` QPs in a row.
  void drop_idle(std::int32_t limit);

  Block& block(std::int64_t index) { return blocks_[static_cast<std::size_t>(index)]; }
  const Block& block(std::int64_t index) const { return blocks_[static_cast<std::size_t>(index)]; }
  std::int64_t block_count() const { return static_cast<std::int64_t>(blocks_.size()); }
  double cap() const { return cap_; }
  const Vector& w() const { return w_; }

  double dual() const { return dual_; }                  // at the last refresh()
  double squared_norm() const { return squared_norm_; }  // ||w||^2, likewise
  double scale() const { return scale_; }  // sum alpha |b| + ||w||^2: what rounding is measured by

  std::int64_t plane_count() const;   // without the zero planes
  std::int64_t active_count() const;  // of them with alpha > 0
  std::size_t entry_count() const { return entries_; }

 private:
  bool in_gram_space() const { return blocks_.size() == 1; }

  double cap_;
  std::vector<Block> blocks_;
  Vector w_;        // [dimension]
  Vector scratch_;  // [dimension], zero between calls
  double dual_ = 0;
  double squared_norm_ = 0;
  double scale_ = 0;
  std::size_t entries_ = 0;
};

}  // namespace sculpt::core
