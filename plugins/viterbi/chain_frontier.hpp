// chain_frontier.hpp - the best score of a chain for each vector of counts, by dynamic programming
// over (position, label, counts).
//
//   S_t^c(j) = u_t(j) + M_t^{c - d_t(j)}(j)        the best of positions 0..t that end in label j
//   M_t^c(j) = max_i S_{t-1}^{c - e_t(i,j)}(i) + p_t(i,j),     M_0^0 = 0
//   S(c) = max_j S_{T-1}^c(j)
//
// with scores u, p and counts d, e of the unary and pair cells. If e = 0, one c costs little more
// than one Viterbi search: M_t^c needs the row S_{t-1}^c once. At its limit a count stands for all
// larger ones: M_t^limit includes everything above the limit, so c - d stands for all counts in
// [limit - d, limit].
//
// Only M is stored, slice by slice of the first count. S is M plus a lookup. A slice omits
// positions whose prefix cannot reach its count: cells = sum_t K_t (1 + max_t[0]) (1 + max_t[1]).
// Bauer, Goernitz, Biegler, Mueller & Kloft, IEEE Transactions on Neural Networks and Learning
// Systems 25 (2014), do the same for Hamming-like losses. Used by the session in viterbi.cpp.
#pragma once

#include "chain_tables.hpp"

#include <sculpt/cpp/counts.hpp>
#include <sculpt/cpp/host.hpp>

class ChainFrontier {
 public:
  explicit ChainFrontier(const sculpt::Host& host) : host_(host) {}

  // Reads the query, which must outlive the calls below. Returns the size: counts are in [0,
  // size[0]) x [0, size[1]). Throws E_UNSUPPORTED above max_cells. Requires end() before.
  sculpt::CountVector begin(const sculpt::FrontierQuery& query, std::int64_t max_cells);
  // Ends the current frontier.
  void end() { sizes_ = {}; }

  // Writes scores[size[1]] of the first count `first`. Computes the missing slices up to it. Throws
  // E_CANCELLED if the host asks to stop; slices computed before stay.
  void slice(std::int64_t first, std::span<double> scores);

  // Writes a best output with these counts to y[variables]. Ties: the smallest last label, then the
  // smallest label before it, and so on.
  void output(sculpt::CountVector counts, std::span<std::int32_t> y);

 private:
  // One position for each variable, and one after the last. That one has one state, so its M is the
  // frontier.
  struct Position {
    std::size_t states = 1;
    const double* unary = nullptr;  // [states]
    const double* pair = nullptr;   // [previous states][states], if there is a table.
    std::array<const std::int32_t*, 2> unary_count = {};  // nullptr if no cell counts.
    std::array<const std::int32_t*, 2> pair_count = {};   // nullptr if no cell counts.
    // True if labels add at most 1 to the first count and 0 to the second.
    bool adds_at_most_one = true;
    sculpt::CountVector max_counts = {};  // Largest counts of M here, at most the limit.
    std::size_t from = 0;                 // Its first cell if all slices began at position 0.
  };

  void read_positions(const sculpt::FrontierQuery& query);
  void read_counts(const sculpt::FrontierQuery& query, std::size_t k);
  void assign_cells(std::int64_t max_cells);

  std::span<const double> scores_of(std::int64_t first);
  void compute_slice(std::int64_t first);
  void compute(std::size_t t, const sculpt::CountVector& counts);
  void join_counting(const Position& previous, const Position& position,
                     const sculpt::CountVector& counts, double* after) const;
  void score_states(const Position& position, const sculpt::CountVector& counts);

  const double* row_at(const Position& position, const sculpt::CountVector& counts) const;
  double best_before(const Position& position, const sculpt::CountVector& counts, std::size_t state,
                     const sculpt::CountVector& added) const;
  // Returns the index of M of state 0 at this position, in the slice of its first count.
  std::size_t cell(const Position& position, const sculpt::CountVector& counts) const {
    return position.from - slice_from_[static_cast<std::size_t>(counts[0])] +
           static_cast<std::size_t>(counts[1]) * position.states;
  }
  // True if this value of count k stands for all larger values too.
  bool is_at_limit(std::size_t k, std::int64_t count) const {
    return exceeds_limit_[k] && count + 1 == sizes_[k];
  }

  // After this number of pairs of labels, some milliseconds, the host is asked whether to stop.
  static constexpr std::size_t poll_interval = std::size_t{1} << 22;

  const sculpt::Host& host_;
  std::size_t pairs_since_poll_ = 0;  // Pairs of labels since the host was asked.
  std::vector<std::int64_t> pair_;    // First cells of the pair tables in theta, [T].
  std::vector<Position> positions_;   // [T + 1]
  sculpt::CountVector sizes_ = {};
  std::array<bool, 2> exceeds_limit_ = {};  // True if some output exceeds the limit of a count.

  // One slice for each first count. May contain more than computed_, because memory is reused.
  std::vector<std::vector<double>> slices_;
  std::vector<std::size_t> slice_from_;  // `from` of its first cell, [computed_].
  std::int64_t computed_ = 0;
  std::vector<double> row_;               // S, [states of one position].
  std::vector<double> fewer_row_;         // M of the limit or of one less, [states of a position].
  std::vector<double> unattainable_row_;  // All unattainable, [states of one position].
};
