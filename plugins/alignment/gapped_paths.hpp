// gapped_paths.hpp - all alignments of two sequences of n and m letters, as a dynamic program.
//
//   node (i, j, s)   the alignments of the first i letters of a and j of b with the last move s
//                    s: a pair, a letter of a over a gap, a letter of b under a gap
//   edges into it    the move s, after any node of the cell before; the first pair of a local
//                    alignment has no tail, nor has (0, 0, pair), where a global one begins
//   the goal         follows every node (n, m, s); in local alignments it follows every pair, or
//                    nothing: the empty alignment
//
// With one order of adjacent gaps, a letter of a over a gap never follows a letter of b under a
// gap. The outputs then differ in what they align, or in how much of it. Otherwise all orders are
// outputs: a global alignment has as many as the Delannoy number. A gap letter is an opening if
// another move precedes it. Sources, all J. Mol. Biol.: Gotoh 162 (1982); Needleman and Wunsch 48
// (1970); Smith and Waterman 147 (1981). Used by alignment_model.hpp.
#pragma once

#include <sculpt/program/program.hpp>

#include "path.hpp"

namespace alignment {

// The head and the tail of an edge.
struct Step {
  std::int64_t i;  // of the head; of the tail if the head is the goal
  std::int64_t j;
  std::int32_t move;      // the state of the head; no_move: the goal
  std::int32_t previous;  // the state of the tail; no_move: there is no tail
  bool is_pair() const { return move == both && i > 0 && j > 0; }
  bool is_gap() const { return move == a_only || move == b_only; }
  bool opens_gap() const { return is_gap() && previous != move; }
};

// PairScore: double operator()(std::int64_t i, std::int64_t j) const, for letters counted from 0.
template <class PairScore>
class GappedPaths {
 public:
  using Edge = sculpt::program::Edge<1>;
  static constexpr std::int64_t states = 3;

  struct Settings {
    std::int64_t length_a;
    std::int64_t length_b;
    bool is_local;
    bool allows_any_order;  // of adjacent gaps
  };
  // The limit of the number of nodes, which are numbered in 32 bits.
  static constexpr double max_nodes = 4294967296.0;
  // The names of edges have 30 bits for a position.
  static constexpr std::int64_t max_letters = (std::int64_t{1} << 28);
  static double nodes(std::int64_t length_a, std::int64_t length_b) {
    return static_cast<double>(states) * static_cast<double>(length_a + 1) *
               static_cast<double>(length_b + 1) +
           1;
  }

  GappedPaths(const Settings& settings, PairScore pair_score, double gap_letter, double gap_opening)
      : settings_(settings),
        width_(static_cast<std::uint32_t>(settings.length_b + 1)),
        pair_score_(pair_score),
        extension_score_(gap_letter),
        opening_score_(gap_letter + gap_opening) {}

  std::int64_t node_count() const {
    return states * (settings_.length_a + 1) * std::int64_t{width_} + 1;
  }

  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    const auto number = static_cast<std::uint32_t>(node);
    const std::uint32_t cell = number / 3;
    const std::uint32_t row = cell / width_;
    const std::int64_t i = row;
    const std::int64_t j = cell - row * width_;
    if (i > settings_.length_a) return each_edge_into_goal(visit);
    switch (number - 3 * cell) {
      case both:
        return each_pair(i, j, visit);
      case a_only:
        if (i == 0) return;
        add(i, j, a_only, both, node - a_only - states * width_, opening_score_, visit);
        add(i, j, a_only, a_only, node - states * width_, extension_score_, visit);
        if (!settings_.allows_any_order) return;
        return add(i, j, a_only, b_only, node + 1 - states * width_, opening_score_, visit);
      default:
        if (j == 0) return;
        add(i, j, b_only, both, node - b_only - states, opening_score_, visit);
        add(i, j, b_only, a_only, node - 1 - states, opening_score_, visit);
        return add(i, j, b_only, b_only, node - states, extension_score_, visit);
    }
  }

  static Step step(const Edge& edge) {
    return {edge.name >> 34, (edge.name >> 4) & ((std::int64_t{1} << 30) - 1),
            static_cast<std::int32_t>((edge.name >> 2) & 3),
            static_cast<std::int32_t>(edge.name & 3)};
  }

 private:
  static std::int64_t name(std::int64_t i, std::int64_t j, std::int32_t move,
                           std::int32_t previous) {
    return i << 34 | j << 4 | move << 2 | previous;
  }
  std::int64_t node(std::int64_t i, std::int64_t j, std::int32_t state) const {
    return (i * std::int64_t{width_} + j) * states + state;
  }
  template <class Visit>
  static void add(std::int64_t i, std::int64_t j, std::int32_t move, std::int32_t previous,
                  std::int64_t tail, double score, Visit& visit) {
    visit(Edge{score, name(i, j, move, previous), {tail}, 1});
  }

  template <class Visit>
  void each_pair(std::int64_t i, std::int64_t j, Visit& visit) const {
    if (i == 0 || j == 0) {
      if (i == j && !settings_.is_local) visit(Edge{0, name(0, 0, both, no_move), {}, 0});
      return;
    }
    const double score = pair_score_(i - 1, j - 1);
    const std::int64_t tail = node(i - 1, j - 1, 0);
    if (settings_.is_local) visit(Edge{score, name(i, j, both, no_move), {}, 0});
    add(i, j, both, both, tail, score, visit);
    add(i, j, both, a_only, tail + a_only, score, visit);
    add(i, j, both, b_only, tail + b_only, score, visit);
  }

  template <class Visit>
  void each_edge_into_goal(Visit& visit) const {
    if (!settings_.is_local) {
      for (std::int32_t state = 0; state < states; ++state) {
        add(settings_.length_a, settings_.length_b, no_move, state,
            node(settings_.length_a, settings_.length_b, state), 0, visit);
      }
      return;
    }
    visit(Edge{0, name(0, 0, no_move, no_move), {}, 0});
    for (std::int64_t i = 1; i <= settings_.length_a; ++i) {
      for (std::int64_t j = 1; j <= settings_.length_b; ++j) {
        add(i, j, no_move, both, node(i, j, both), 0, visit);
      }
    }
  }

  Settings settings_;
  std::uint32_t width_;  // cells of a row
  PairScore pair_score_;
  double extension_score_;
  double opening_score_;
};

}  // namespace alignment
