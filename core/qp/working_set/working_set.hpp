// working_set.hpp - the planes found so far, block by block, with their dual variables.
//
// Filled by the solvers, optimized by QpSolver. n_slack has a block for each example and sparse
// planes, one_slack a single block with dense ones; one code serves both.
//
//   v      sum alpha a
//   w      v, but max(0, v_j) where w_j >= 0 is demanded
//   D      sum alpha b - 1/2 ||w||^2 - 1/2 ridge sum_i A_i^2,   A_i the sum over the block
//   score  dD / d alpha = b - <w, a> - ridge A_i, 0 for plane 0
//   xi_i   max of 0 and b - <w, a> over the block
//
// Bounds w_j >= 0: with dual variables beta >= 0 of their own w = v + beta, and D is as above when
// beta = max(0, -v). At a frozen beta it is the dual without bounds, so that every step made from
// products <a, a'> climbs; setting beta anew afterwards ("clipping") climbs again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "linalg/weight_view.hpp"
#include "qp/plane/columns_in_use.hpp"
#include "qp/plane/gram.hpp"
#include "qp/plane/plane_vector.hpp"
#include "qp/working_set/alpha_snapshot.hpp"
#include "qp/working_set/slack_term.hpp"

namespace sculpt::core {

// Plane 0 is the zero plane (a = 0, b = 0), output y_i itself: the constraint xi_i >= 0. Where
// slacks cost linearly its alpha is what the others leave of the cap; else it is infinite: steps
// take from it and give to it without end.
struct Block {
  std::vector<PlaneVector> a;         // [m]
  std::vector<double> b;              // [m]
  std::vector<double> alpha;          // [m] >= 0
  std::vector<std::uint64_t> output;  // [m] hash, that of plane 0 means nothing
  std::vector<std::int32_t> idle;     // [m] QPs in a row that left alpha at 0
  std::vector<std::uint8_t> shrunk;   // [m] 1: skipped by score_not_shrunk(); never with alpha > 0
  Gram gram;                          // [m][m] <a_p, a_q> + ridge, 0 for plane 0
  std::size_t entries = 0;            // stored entries of all planes: the cost of a scoring
  bool changed = true;                // planes came or went since QpSolver measured it last

  std::size_t size() const { return b.size(); }
  double alpha_sum() const;  // A, without plane 0
  bool knows(std::uint64_t hash) const;
  // Equal halves are one, so that what is shared follows from the planes of now.
  void share_input(PlaneVector& plane) const;
  std::size_t bytes() const;  // that its planes take, with their products and figures
  std::size_t bytes_without(std::size_t p, std::size_t q) const;  // of planes, without products

  // Of a plane, beside its entries and products: an element of each of the vectors above.
  static constexpr std::size_t plane_bytes = sizeof(PlaneVector) + 2 * sizeof(double) +
                                             sizeof(std::uint64_t) + sizeof(std::int32_t) +
                                             sizeof(std::uint8_t);
};

class WorkingSet {
 public:
  // Requires block_count > 0. `nonnegative`: [dimension] 1 where w_j >= 0 is demanded, or empty; it
  // outlives this.
  WorkingSet(std::int64_t block_count, std::int64_t dimension, const SlackTerm& slack_term,
             std::span<const std::uint8_t> nonnegative = {});

  // A plane on its way into a block.
  struct NewPlane {
    PlaneVector a;
    double b = 0;
    std::uint64_t output = 0;
    // [size of the block + planes before it + 1] with both, and with itself at the end
    std::vector<double> products;
  };

  // Nothing when the block knows the output, or when <a, a> exceeds what a double holds. Planes of
  // different blocks may be made side by side. `zeros`: [dimension], and zero again afterwards.
  // `before`: planes of other outputs that are on their way into the same block.
  std::optional<NewPlane> make_plane(std::int64_t block, const SparseVector& a, double b,
                                     std::uint64_t output, Vector& zeros,
                                     std::span<const NewPlane> before = {}) const;

  // Adds a plane with alpha = 0. Requires that the block is as it was when the plane was made, and
  // that those before it have come.
  void add(std::int64_t block, NewPlane plane);

  // Both. False, and nothing added, where make_plane() gives none.
  bool add(std::int64_t block, PlaneVector a, double b, std::uint64_t output);

  // score[p] for the planes of one block; any thread, while no plane comes or goes. A single block
  // without bounds needs no w: its scores are b - Gram alpha, so that dense planes are not touched.
  void score(std::int64_t block, std::vector<double>& score) const;

  // The same at any w, with -infinity for planes shrunk. Returns the entries touched.
  std::size_t score_not_shrunk(std::int64_t block, WeightView w, std::vector<double>& score) const;

  // Asks memory for planes of the block behind order[k], and for the figures of the one behind
  // that. Any thread, while no plane comes or goes; `not_shrunk`: or falls shrunk.
  enum class PlanesWanted { all, not_shrunk, active };  // active: with alpha > 0
  void prefetch_next(std::span<const std::int64_t> order, std::size_t k,
                     PlanesWanted wanted = PlanesWanted::not_shrunk) const;
  // The same where blocks are visited as they are numbered.
  void prefetch_after(std::int64_t block, PlanesWanted wanted) const;

  // xi of one block at any w: the largest of its scores, by its planes alone. Any thread, while no
  // plane comes or goes.
  double slack_of(std::int64_t block, WeightView w) const;

  // Adds the change of one block's alpha to w, and clips what it touched; `before` is alpha as it
  // was. Returns what clipping adds to D. A single block without bounds leaves w to refresh().
  double move_w(std::int64_t block, const std::vector<double>& before);

  // Adds the change of one block's alpha to another vector, without bounds.
  void add_change(std::int64_t block, const std::vector<double>& before, Vector& w) const;

  // w = one + other - w, without bounds: adds up the moves of two copies of w.
  void add_moves(const Vector& one, const Vector& other);

  // v += change, the sum of changes of many alpha, and clips.
  void shift_w(const Vector& change);

  // What clipping would add to D after v += change.
  double clipping_gain(const Vector& change) const;

  // x_j = 0 where w_j rests on its bound.
  void zero_clipped(Vector& x) const;

  // Scales alpha to the best D along its ray, and returns the gain; where slacks cost linearly the
  // cap forbids it: no-op.
  double scale_to_best_dual();

  // Scales alpha to the best D along its ray, and sets w and the dual: of alpha alone and in a
  // fixed order, so that no drift enters them and that equal alpha give equal bits.
  void refresh();

  // True if D of the last refresh() is less than D of the noted alpha, by more than rounding.
  bool dual_has_fallen() const;
  // Notes alpha of the last refresh(). Requires !dual_has_fallen().
  void accept_alpha() { std::swap(accepted_, evaluated_); }
  // Puts the noted alpha back, and sums up its planes.
  void restore_accepted_alpha();

  // ||a|| of the longest plane where every column is scaled to the shortest: a column is as long as
  // its largest |a_j|. So long a plane would be if a single long column did not hide the others. Of
  // the planes of now; walks over them all.
  double longest_after_column_scaling() const;
  // ||a|| of the longest plane; where planes are means of others, of the longest of these.
  double longest() const;
  // Of planes that those in here are means of: columns that cancel in all means must not look as if
  // there had been short ones alone.
  void record_averaged_plane(double squared_norm) {
    largest_source_ = std::max(largest_source_, squared_norm);
  }
  double largest_averaged_plane() const { return largest_source_; }  // the largest noted

  // Slacks forbidden: whether the last refresh() found alpha to prove that no w with
  // ||w|| <= 1 / (floor_part longest_after_column_scaling()) satisfies all planes: D exceeds 1/2 of
  // its square, or could along the ray.
  bool is_inseparable(double floor_part) const;

  // Slacks forbidden: whether there is a plane that no w satisfies, a = 0 and b > 0. Puts all alpha
  // on it.
  bool set_alpha_to_infeasible_plane();

  // Ages the planes by one QP, which sets the age of those with alpha > 0 to 0.
  void age();
  // What drops requires that alpha is that of the last refresh().
  // Drops the planes of this age or older. Requires limit > 0.
  void drop_older(std::int32_t limit);
  // Drops of each block the planes with alpha = 0 beyond the `most` youngest, of equals the latest.
  void drop_idle_beyond(std::size_t most);

  // Replaces the planes p < q of a block, 0 < p, by their mean weighted by alpha, at the place of
  // p. False, and nothing done, when neither carries alpha or the block would take no fewer bytes.
  bool merge(std::int64_t block, std::size_t p, std::size_t q);

  // The state in two parts, in this order. What moves while a solver works: alpha, ages and the
  // figures of the last refresh(). `shrunk` is not saved: QpSolver sets it
  // before it is read.
  void save_alpha(StateWriter& out) const;
  // What only grows between two marks of a solver: the first sizes[i] planes of every block,
  // plane 0 included.
  void save_planes(StateWriter& out, const std::vector<std::size_t>& sizes) const;
  std::vector<std::size_t> block_sizes() const;
  // Both parts into a working set made with the same arguments. w is that of refresh().
  void load(StateReader& in);

  Block& block(std::int64_t index) { return blocks_[static_cast<std::size_t>(index)]; }
  const Block& block(std::int64_t index) const { return blocks_[static_cast<std::size_t>(index)]; }
  std::int64_t block_count() const { return static_cast<std::int64_t>(blocks_.size()); }
  const SlackTerm& slack_term() const { return slack_term_; }
  bool has_bounds() const { return !nonnegative_.empty(); }
  std::span<const std::uint8_t> nonnegative() const { return nonnegative_; }
  WeightView w() const { return w_; }
  Vector v() const;                      // [dimension]
  void clip_to_bounds(Vector& x) const;  // x_j = max(0, x_j) where w_j >= 0 is demanded
  // Room for a vector of the dimension, at the end of a run: w() is empty from then on.
  Vector take_w() { return std::move(w_); }
  // At the end of a run as well: there are no blocks from then on.
  void free_planes() {
    std::vector<Block>().swap(blocks_);
    evaluated_ = AlphaSnapshot();
    accepted_ = AlphaSnapshot();
  }
  // Those of all planes so far: w and scratch() are 0 in the others.
  const ColumnsInUse& columns() const { return columns_; }
  // Of a place out of an earlier run, which planes that are gone may have a part in.
  void note_columns(const SparseVector& place) { columns_.note(PlaneVector(place)); }
  // [dimension] for whoever needs room for a sum of planes for a while: zero, and to be left so.
  Vector& scratch() { return scratch_; }

  // Work is counted in plane entries touched: what a block costs beside its planes.
  static constexpr double work_of_block = 30;

  double dual() const { return dual_; }                  // at the last refresh()
  double squared_norm() const { return squared_norm_; }  // ||w||^2, likewise
  double scale() const { return scale_; }  // sum alpha |b| + ||w||^2: what rounding is measured by
  double largest_b() const { return largest_b_; }  // |b| of all planes ever added
  double largest_squared_norm() const { return largest_squared_norm_; }  // ||a||^2, likewise

  std::int64_t plane_count() const;   // without the zero planes
  std::int64_t active_count() const;  // of them with alpha > 0
  std::size_t entry_count() const { return entries_; }
  std::size_t bytes() const;  // of all blocks

 private:
  // D(t alpha) = t linear - 1/2 t^2 quadratic
  struct Ray {
    double linear = 0;
    double quadratic = 0;
    double factor() const;  // the best t
  };

  static void prefetch_planes(const Block& block, PlanesWanted wanted);
  static void prefetch_figures(const Block& block);
  static std::vector<double> products(const Block& block, std::span<const NewPlane> before,
                                      const PlaneVector& a, Vector& zeros);
  // A single block is scored by products of planes alone, unless those cancel to too few digits.
  bool in_gram_space() const {
    return blocks_.size() == 1 && !has_bounds() && products_are_precise();
  }
  bool products_are_precise() const;
  double ridge_part() const;
  double clip(std::size_t j);
  void clip_all();
  void scale_alpha(double factor);
  void keep(Block& block, const std::vector<std::size_t>& kept);
  void note_after_drop();
  PlaneVector mean(const PlaneVector& x, double share, const PlaneVector& y);
  void sum_planes();
  void load_alpha(StateReader& in, Block& block) const;
  void load_planes(StateReader& in, Block& block) const;
  bool products_are_right(const Block& block);

  SlackTerm slack_term_;
  std::vector<Block> blocks_;
  std::span<const std::uint8_t> nonnegative_;  // [dimension] or empty
  Vector w_;                                   // [dimension]
  Vector beta_;                                // [dimension], empty without bounds
  Vector scratch_;                             // [dimension], zero between calls
  ColumnsInUse columns_;
  AlphaSnapshot evaluated_;  // at the last refresh()
  AlphaSnapshot accepted_;   // at the last accept_alpha()
  Ray ray_;                  // at the last refresh()
  double dual_ = 0;
  double squared_norm_ = 0;
  double scale_ = 0;
  double largest_b_ = 0;
  double largest_squared_norm_ = 0;  // ||a||^2 of all planes ever added
  double largest_source_ = 0;        // as record_averaged_plane() has it
  double alpha_norm_sum_ = 0;        // of a single block, sum alpha ||a||, at the last refresh()
  std::size_t entries_ = 0;
};

}  // namespace sculpt::core
