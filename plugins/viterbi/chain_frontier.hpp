// chain_frontier.hpp - the best score of a chain for each vector of counts, by dynamic programming
// over (position, label, counts).
//
//   S_t^c(j) = u_t(j) + M_t^{c - d_t(j)}(j)        the best of positions 0..t that end in label j
//   M_t^c(j) = max_i S_{t-1}^{c - e_t(i,j)}(i) + p_t(i,j),     M_0^0 = 0
//   S(c) = max_j S_{T-1}^c(j)
//
// with scores u, p and counts d, e of the unary and pair cells. Where e = 0, one c costs little
// more than one Viterbi: M_t^c once from the row S_{t-1}^c. At its limit a count collects:
// M_t^limit then takes in everything above, so c - d stands for all counts in [limit - d, limit].
//
// Only M is kept, slice by slice of the first count; S is M plus a lookup. A slice holds no
// position whose prefix cannot count so far: cells = sum_t K_t (1 + most_t[0]) (1 + most_t[1]).
// Bauer, Goernitz, Biegler, Mueller & Kloft, IEEE Transactions on Neural Networks and Learning
// Systems 25 (2014), do the like for Hamming-like losses.
#pragma once

#include "chain_tables.hpp"

#include <sculpt/cpp/counts.hpp>
#include <sculpt/cpp/host.hpp>

class ChainFrontier {
 public:
  explicit ChainFrontier(const sculpt::Host& host) : host_(host) {}

  // Reads the query, which must live on, and says how far its counts run: [0, size[0]) x
  // [0, size[1]). Throws E_UNSUPPORTED where that takes more than max_cells. Requires end().
  sculpt::CountVector begin(const sculpt::FrontierQuery& query, std::int64_t max_cells);
  // Whatever was begun is over.
  void end() { sizes_ = {}; }

  // scores[size[1]] of the first count `first`. Computes the slices up to it that are missing.
  // Throws E_CANCELLED when the host asks to stop; what was computed before stays.
  void slice(std::int64_t first, std::span<double> scores);

  // y[variables]: of the outputs with these counts and the best score the one with the smallest
  // last label, then the smallest label before it, and so on.
  void output(sculpt::CountVector counts, std::span<std::int32_t> y);

 private:
  // One for each variable, and one behind the last: its one state ends the chain, so that M there
  // is the frontier itself.
  struct Position {
    std::size_t states = 1;
    const double* unary = nullptr;                        // [states]
    const double* pair = nullptr;                         // [states before][states], if joined
    std::array<const std::int32_t*, 2> unary_count = {};  // NULL where no cell counts
    std::array<const std::int32_t*, 2> pair_count = {};   // the same
    bool plain = true;  // labels add nothing to the second count and at most 1 to the first
    sculpt::CountVector most = {};  // counts that M reaches here: cut by the limit
    std::size_t from = 0;           // its first cell, if all slices began at position 0
  };

  void read_positions(const sculpt::FrontierQuery& query);
  void read_counts(const sculpt::FrontierQuery& query, std::size_t k);
  void place_cells(std::int64_t max_cells);

  std::span<const double> scores_of(std::int64_t first);
  void compute_slice(std::int64_t first);
  void compute(std::size_t t, const sculpt::CountVector& counts);
  void join_counting(const Position& before, const Position& at, const sculpt::CountVector& counts,
                     double* after) const;
  void score_states(const Position& at, const sculpt::CountVector& counts);

  const double* row_at(const Position& at, const sculpt::CountVector& counts) const;
  double reached(const Position& at, const sculpt::CountVector& counts, std::size_t state,
                 const sculpt::CountVector& added) const;
  // Where M of state 0 at this position lies in the slice of its first count.
  std::size_t cell(const Position& at, const sculpt::CountVector& counts) const {
    return at.from - slice_from_[static_cast<std::size_t>(counts[0])] +
           static_cast<std::size_t>(counts[1]) * at.states;
  }
  // Whether this value of count k stands for all above it too.
  bool collects(std::size_t k, std::int64_t count) const {
    return collecting_[k] && count + 1 == sizes_[k];
  }

  // Every so many pairs of labels joined, some milliseconds, the host is asked whether to stop.
  static constexpr std::size_t poll_interval = std::size_t{1} << 22;

  const sculpt::Host& host_;
  std::size_t joined_ = 0;           // pairs since the host was asked
  std::vector<std::int64_t> pair_;   // [T] into theta
  std::vector<Position> positions_;  // [T + 1]
  sculpt::CountVector sizes_ = {};
  std::array<bool, 2> collecting_ = {};  // whether the last value of a count is a limit passed

  // Of the first count. May hold more than computed_: the memory of all examples so far is kept.
  std::vector<std::vector<double>> slices_;
  std::vector<std::size_t> slice_from_;  // [computed_] which `from` its first cell has
  std::int64_t computed_ = 0;
  std::vector<double> row_;      // [states of one position]
  std::vector<double> fewer_;    // the same
  std::vector<double> nothing_;  // the same, all unattainable
};
