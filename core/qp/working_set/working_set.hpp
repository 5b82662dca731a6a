// working_set.hpp - the planes found so far, block by block, with their dual variables.
//
// Filled by the solvers, optimized by QpSolver. n_slack has a block for each example and sparse
// planes. one_slack has a single block with dense planes. One code serves both.
//
//   v      sum alpha a
//   w      v, but max(0, v_j) where w_j >= 0 is demanded; M v with an InnerProduct
//   D      sum alpha b - 1/2 ||w||^2 - 1/2 ridge sum_i A_i^2,   A_i the sum over the block
//   score  dD / d alpha = b - <w, a> - ridge A_i, 0 for plane 0
//   xi_i   max of 0 and b - <w, a> over the block
//
// Bounds w_j >= 0 have their own dual variables beta >= 0: w = v + beta. D is as above if beta =
// max(0, -v). At a fixed beta it is the dual without bounds, so every step made from products <a,
// a'> raises it. Setting beta again afterwards ("clipping") raises it again.
//
// With an InnerProduct v is kept beside w, <a, a'> = a' M a, and ||w||^2 = <v, w>. w follows each
// move, because M v costs far more than the move. There are no bounds then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "linalg/weight_view.hpp"
#include "qp/plane/columns_in_use.hpp"
#include "qp/plane/gram.hpp"
#include "qp/plane/inner_product.hpp"
#include "qp/plane/plane_vector.hpp"
#include "qp/working_set/alpha_snapshot.hpp"
#include "qp/working_set/slack_term.hpp"

namespace sculpt::core {

// Plane 0 is the zero plane (a = 0, b = 0), output y_i itself: the constraint xi_i >= 0. If slacks
// cost linearly, its alpha is what the others leave of the cap. Otherwise it is infinite, and steps
// take from it and give to it without limit.
struct Block {
  std::vector<PlaneVector> a;  // [m]
  std::vector<double> b;       // [m]
  std::vector<double> alpha;   // [m] >= 0.
  // Key [m]: identifies the plane in its block; not used for plane 0. It is the hash of the output,
  // or (one_slack) made from the number of the pass.
  std::vector<std::uint64_t> key;
  std::vector<std::int32_t> age;     // Age [m]: QPs in a row that left alpha at 0.
  std::vector<std::uint8_t> shrunk;  // Flag [m]: skipped by score_not_shrunk(); 0 if alpha > 0.
  Gram gram;                         // Matrix [m][m] <a_p, a_q> + ridge; 0 for plane 0.
  std::size_t entries = 0;           // Stored entries of all planes: the cost of one scoring.
  bool changed = true;  // Planes were added or dropped since QpSolver last measured it.

  std::size_t size() const { return b.size(); }
  double alpha_sum() const;  // A, without plane 0
  // True if a plane has this key.
  bool has_key(std::uint64_t wanted_key) const;
  // Lets the plane share the input vector of equal planes. So sharing depends on the current planes
  // only. True if it does.
  bool share_input(PlaneVector& plane) const;
  std::size_t bytes() const;  // of its planes, with products and other numbers
  std::size_t bytes_without(std::size_t p, std::size_t q) const;  // without p, q and products

  // Bytes of a plane without its entries and products: an element of each of the vectors above.
  static constexpr std::size_t plane_bytes = sizeof(PlaneVector) + 2 * sizeof(double) +
                                             sizeof(std::uint64_t) + sizeof(std::int32_t) +
                                             sizeof(std::uint8_t);
};

class WorkingSet {
 public:
  // Requires block_count > 0. `nonnegative`: [dimension] 1 where w_j >= 0 is demanded, or empty.
  // `inner_product`: nullptr for that of the entries; else a block is an example, and `nonnegative`
  // is empty. Both must outlive this.
  WorkingSet(std::int64_t block_count, std::int64_t dimension, const SlackTerm& slack_term,
             std::span<const std::uint8_t> nonnegative = {}, InnerProduct* inner_product = nullptr);

  // Planes that are added or loaded from now on are kept in this memory, which outlives them.
  // nullptr: on the heap, as at first.
  void keep_planes_in(std::pmr::memory_resource* memory) { memory_ = memory; }

  // A plane that is not added yet.
  struct NewPlane {
    PlaneVector a;
    double b = 0;
    std::uint64_t key = 0;
    // [size of the block + pending planes + 1] products with both, and with itself at the end
    std::vector<double> products;
  };

  // None if the block has a plane with this key, or if <a, a> overflows a double. Planes of
  // different blocks may be made on several threads. `zeros`: [dimension] zeros before and after
  // the call. `pending`: planes with other keys that will be added to the same block first.
  std::optional<NewPlane> make_plane(std::int64_t block, const SparseVector& a, double b,
                                     std::uint64_t key, Vector& zeros,
                                     std::span<const NewPlane> pending = {}) const;

  // Adds a plane with alpha = 0. Requires that the block has not changed since the plane was made,
  // and that the pending planes were added.
  void add(std::int64_t block, NewPlane plane);

  // Makes and adds a plane. Returns false, and adds nothing, if make_plane() returns none.
  bool add(std::int64_t block, PlaneVector a, double b, std::uint64_t key);

  // Sets score[p] for the planes of one block. Any thread, while no plane is added or dropped. A
  // single block without bounds needs no w: its scores are b - Gram alpha, so dense planes are not
  // read.
  void score(std::int64_t block, std::vector<double>& score) const;

  // The same at any w, with -infinity for shrunk planes. Returns the entries touched.
  std::size_t score_not_shrunk(std::int64_t block, WeightView w, std::vector<double>& score) const;

  // Prefetches planes of the block after order[k], and the numbers of the block after that. Any
  // thread, while no plane is added, dropped or shrunk.
  enum class PlaneFilter { all, not_shrunk, active };  // active: with alpha > 0
  void prefetch_next(std::span<const std::int64_t> order, std::size_t k,
                     PlaneFilter filter = PlaneFilter::not_shrunk) const;
  // The same if blocks are visited in the order of their numbers.
  void prefetch_after(std::int64_t block, PlaneFilter filter) const;

  // xi of one block at any w, the largest of its scores, from its planes alone. Any thread, while
  // no plane is added or dropped.
  double slack_of(std::int64_t block, WeightView w) const;

  // Adds the change of one block's alpha to w, and clips the weights it changed. Returns what
  // clipping adds to D. For a single block without bounds refresh() computes w instead.
  double move_w(std::int64_t block, const std::vector<double>& alpha_before);

  // With an inner product: the change of v by the change of the alpha of some blocks. Each entry
  // once, by column. `alpha_before`: of one block after the other. Uses scratch().
  SparseVector change_of(std::span<const std::int64_t> blocks,
                         std::span<const double> alpha_before);
  // With an inner product: moves v by a change_of() alpha, and w. Runs these tasks meanwhile, on
  // all threads. One of them may use the blocks and scratch(). None may use v or w.
  void move_w(const SparseVector& change, const SideTasks& beside = {});

  // True if w has no more rounding than multiply_exactly(). Always without an inner product.
  bool is_exact() const { return is_exact_; }
  // Computes w again, without the rounding of the moves. Call refresh() afterwards.
  void make_exact();

  // The work of all calls of move_w() so far beyond the planes of their blocks, in plane entries
  // touched. 0 without an inner product.
  double work_of_moves() const { return work_of_moves_; }

  // Adds the change of one block's alpha to another vector, without bounds.
  void add_change(std::int64_t block, const std::vector<double>& alpha_before, Vector& w) const;

  // w += (first - w) + (second - w), without bounds. `first`, `second`: two copies of w, each moved
  // by the steps of other blocks.
  void add_moves(const Vector& first, const Vector& second);

  // v += change, a sum of changes of many alpha times their a. Sets w from v, within the bounds.
  // `product`: M change, or the change itself.
  void add_to_v(const Vector& change, const Vector& product);

  // Returns what clipping would add to D after v += change.
  double clipping_gain(const Vector& change) const;

  // x_j = 0 where w_j is on its bound.
  void zero_on_bounds(Vector& x) const;

  // Scales alpha to the best D along its ray, and returns the gain. Does nothing if slacks cost
  // linearly: the cap forbids it.
  double scale_to_best_dual();

  // Scales alpha to the best D along its ray, and computes w and the dual. They are computed from
  // alpha alone and in a fixed order. So there is no drift, and equal alpha give equal bits.
  void refresh();

  // True if D of the last refresh() is smaller than D of the accepted alpha, by more than rounding.
  bool dual_has_fallen() const;
  // Makes the alpha of the last refresh() the accepted one: the alpha to fall back to if D falls by
  // rounding. Requires !dual_has_fallen().
  void accept_alpha() { std::swap(accepted_, evaluated_); }
  // Restores the accepted alpha, and sums its planes.
  void restore_accepted_alpha();

  // ||a|| of the longest plane after every column is scaled to the shortest. The length of a column
  // is its largest |a_j|. So a single long column does not hide the others. Returns an upper bound,
  // from the largest number of entries. Reads all current planes.
  double largest_norm_after_column_scaling() const;
  // The largest ||a||. For joint planes the largest ||a|| that was averaged.
  double largest_norm() const;
  // Records ||a||^2 of a single plane that was averaged into a joint plane. A large column may
  // cancel in the average, and would then be missing in largest_norm().
  void record_averaged_plane(double squared_norm) {
    largest_averaged_plane_ = std::max(largest_averaged_plane_, squared_norm);
  }
  // The largest recorded ||a||^2.
  double largest_averaged_plane() const { return largest_averaged_plane_; }

  // Slacks forbidden: true if alpha of the last refresh() proves that no short w satisfies all
  // planes. Short: ||w|| <= 1 / (separation_floor largest_norm_after_column_scaling()). The proof:
  // D, or its best value along the ray, exceeds half of the square of that norm.
  bool is_inseparable(double separation_floor) const;

  // Slacks forbidden: if there is a plane that no w satisfies, a = 0 and b > 0, puts all alpha on
  // it and returns true.
  bool set_alpha_to_infeasible_plane();

  // Adds one QP to the age of all planes. Planes with alpha > 0 get age 0.
  void age();
  // Drops the planes of this age and older ones. Requires min_age > 0. This and all functions that
  // drop planes require the alpha of the last refresh().
  void drop_from_age(std::int32_t min_age);
  // Each block keeps at most max_idle planes with alpha = 0: the youngest, and the latest of equal
  // age.
  void keep_idle_at_most(std::size_t max_idle);

  // Replaces the planes p < q of a block, 0 < p, by their mean weighted by alpha, in place of p.
  // Returns false, and does nothing, if both have alpha = 0 or the block would not take fewer
  // bytes.
  bool merge(std::int64_t block, std::size_t p, std::size_t q);

  // The state in two parts, in this order. The first changes while a solver works: alpha, ages and
  // the numbers of the last refresh(). `shrunk` is not saved: QpSolver sets it before it is read.
  void save_alpha(StateWriter& out) const;
  // Saves the second part: the first sizes[i] planes of every block, with plane 0. Between two
  // resume points of a solver this part only grows.
  void save_planes(StateWriter& out, const std::vector<std::size_t>& sizes) const;
  std::vector<std::size_t> block_sizes() const;
  // Loads both parts into a working set made with the same arguments. w is that of refresh().
  void load(StateReader& in);

  Block& block(std::int64_t index) { return blocks_[static_cast<std::size_t>(index)]; }
  const Block& block(std::int64_t index) const { return blocks_[static_cast<std::size_t>(index)]; }
  std::int64_t block_count() const { return static_cast<std::int64_t>(blocks_.size()); }
  const SlackTerm& slack_term() const { return slack_term_; }
  bool has_bounds() const { return !nonnegative_.empty(); }
  std::span<const std::uint8_t> nonnegative() const { return nonnegative_; }
  // With an inner product, right at the columns of planes.
  WeightView w() const { return w_; }
  // w, right at all columns. [main]
  WeightView complete_w();
  // nullptr: that of the entries.
  InnerProduct* inner_product() const { return inner_product_; }
  // [dimension] the vector that a model stores: v with an InnerProduct, else w.
  const Vector& model_vector() const { return inner_product_ == nullptr ? w_ : v_; }
  Vector v() const;                      // [dimension]
  void clip_to_bounds(Vector& x) const;  // x_j = max(0, x_j) where w_j >= 0 is demanded
  // Moves w out at the end of a run, as memory for a vector [dimension]. w() is empty afterwards.
  Vector release_w() { return std::move(w_); }
  // Drops all blocks, at the end of a run.
  void free_planes() {
    std::vector<Block>().swap(blocks_);
    evaluated_ = AlphaSnapshot();
    accepted_ = AlphaSnapshot();
  }
  // The columns of all planes so far. w and scratch() are 0 in all other columns.
  const ColumnsInUse& columns() const { return columns_; }
  // Adds the columns of a w of an earlier run: it may contain planes that were dropped since.
  void add_columns(const SparseVector& w) { columns_.add_columns_of(PlaneVector(w)); }
  // [dimension] scratch memory for a sum of planes. It is zero, and must be zero again after use.
  Vector& scratch() { return scratch_; }

  // The work of a block in addition to its planes. Work is counted in plane entries touched.
  static constexpr double work_per_block = 30;

  // At the last refresh(): D, ||w||^2, and the terms of D added up without signs, for rounding
  // (sum alpha |b| + ||w||^2 + ridge sum_i A_i^2).
  double dual() const { return dual_; }
  double squared_norm() const { return squared_norm_; }
  double dual_magnitude() const { return dual_magnitude_; }
  // The largest |b| and ||a||^2 of all planes ever added.
  double largest_b() const { return largest_b_; }
  double largest_squared_norm() const { return largest_squared_norm_; }

  std::int64_t plane_count() const;   // without the zero planes
  std::int64_t active_count() const;  // planes with alpha > 0
  std::size_t entry_count() const { return entries_; }
  std::size_t bytes() const;  // of all blocks

 private:
  // D(t alpha) = t linear - 1/2 t^2 quadratic
  struct Ray {
    double linear = 0;
    double quadratic = 0;
    double factor() const;  // the best t
  };

  static void prefetch_planes(const Block& block, PlaneFilter filter);
  static void prefetch_numbers(const Block& block);
  std::vector<double> products(std::int64_t block, std::span<const NewPlane> pending,
                               const PlaneVector& a, Vector& zeros) const;
  void scatter(std::int64_t block, const PlaneVector& a, Vector& zeros) const;
  void unscatter(std::int64_t block, const PlaneVector& a, Vector& scattered) const;
  void follow_sum();
  void list_incomplete(std::span<const std::int32_t> columns);
  void forget_incomplete(bool is_complete);
  SparseVector take_scratch(SparseVector sum);
  // A single block is scored by products of planes alone, unless rounding leaves too few digits.
  bool scores_by_gram() const {
    return blocks_.size() == 1 && !has_bounds() && are_products_precise();
  }
  bool are_products_precise() const;
  double ridge_term() const;
  double clip(std::size_t j);
  void clip_all();
  void scale_alpha(double factor);
  void keep_planes(Block& block, const std::vector<std::size_t>& kept);
  void accept_alpha_after_drop();
  PlaneVector mean(const PlaneVector& x, double fraction, const PlaneVector& y);
  void sum_planes();
  void load_alpha(StateReader& in, Block& block) const;
  void keep(const Block& block, PlaneVector& plane) const;
  void load_planes(StateReader& in, Block& block) const;
  bool are_products_right(std::int64_t index);

  SlackTerm slack_term_;
  std::vector<Block> blocks_;
  std::span<const std::uint8_t> nonnegative_;    // [dimension] or empty
  std::pmr::memory_resource* memory_ = nullptr;  // of planes; nullptr: the heap
  InnerProduct* inner_product_;                  // nullptr: that of the entries
  Vector w_;                                     // [dimension]
  Vector v_;                                     // [dimension], empty without an inner product
  Vector complete_v_;                            // likewise: the v of w where no plane has a column
  Vector beta_;                                  // [dimension], empty without bounds
  Vector scratch_;                               // [dimension], zero between calls
  ColumnsInUse columns_;
  AlphaSnapshot evaluated_;  // at the last refresh()
  AlphaSnapshot accepted_;   // the alpha to fall back to if D falls by rounding
  Ray ray_;                  // at the last refresh()
  double dual_ = 0;
  double squared_norm_ = 0;
  double dual_magnitude_ = 0;
  double largest_b_ = 0;
  double largest_squared_norm_ = 0;    // ||a||^2 of all planes ever added
  double largest_averaged_plane_ = 0;  // see record_averaged_plane()
  double work_of_moves_ = 0;
  bool is_exact_ = true;
  bool is_complete_ = true;  // complete_v_ is v_
  // Columns where complete_v_ may differ from v_, each at least once. Not known: any column.
  std::vector<std::int32_t> incomplete_;
  bool is_incomplete_known_ = true;
  double alpha_norm_sum_ = 0;  // single block: sum alpha ||a||, at the last refresh()
  std::size_t entries_ = 0;
};

}  // namespace sculpt::core
