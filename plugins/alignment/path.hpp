// path.hpp - alignments as outputs: the meaning of the numbers of y, and iteration over the moves.
//
//   y = (i, j, move, move, ...)   the alignment begins before letter i of sequence a and letter
//                                 j of sequence b; each move passes letters of one or both
//   y = ()                        the empty alignment: nothing is aligned
//
// Used by every file of this plugin.
#pragma once

#include <algorithm>
#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <string>

namespace alignment {

inline constexpr char gap = '-';

enum Move : std::int32_t {
  both = 0,    // A letter of a over one of b: a pair.
  a_only = 1,  // A letter of a over a gap in b.
  b_only = 2,  // A letter of b under a gap in a.
  no_move = 3  // Never in y: stands for a missing move, before the first and after the last.
};

// Returns the number of letters of a sequence that a move passes: 0 or 1.
constexpr std::int64_t letters_in_a(std::int32_t move) {
  return move == b_only ? 0 : 1;
}
constexpr std::int64_t letters_in_b(std::int32_t move) {
  return move == a_only ? 0 : 1;
}

// The shape of alignments of sequences of these lengths.
inline sculpt::OutputShape shape_of_alignments(std::int64_t length_a, std::int64_t length_b) {
  const std::int64_t largest = std::max({length_a, length_b, std::int64_t{b_only}});
  return sculpt::OutputShape::between(0, 2 + length_a + length_b,
                                      static_cast<std::int32_t>(largest + 1));
}

// Calls visit(move, i, j) for each move; i and j are the next letters of a and b before the move.
// Returns true if y is an alignment of sequences of these lengths. Stops at the first error.
template <class Visit>
bool visit_moves(sculpt::Labels y, std::int64_t length_a, std::int64_t length_b, Visit visit) {
  if (!y.known()) return false;
  if (y.empty()) return true;
  if (y.size() < 3 || y[0] < 0 || y[1] < 0) return false;
  std::int64_t i = y[0];
  std::int64_t j = y[1];
  for (const std::int32_t move : y.subspan(2)) {
    if (move < both || move > b_only) return false;
    if (i + letters_in_a(move) > length_a || j + letters_in_b(move) > length_b) return false;
    visit(static_cast<Move>(move), i, j);
    i += letters_in_a(move);
    j += letters_in_b(move);
  }
  return true;
}

inline sculpt::Error not_an_alignment(std::int64_t length_a, std::int64_t length_b) {
  return {SCULPT_E_INVALID,
          "was given numbers that are not an alignment of sequences of " +
              std::to_string(length_a) + " and " + std::to_string(length_b) +
              " letters; give its first position in both, then moves 0, 1 or 2, or no numbers"};
}

// Sorts adjacent gaps: gaps in b before gaps in a. Their order does not change what is aligned.
// `moves`: y without its first two numbers.
template <class Moves>
void order_gaps(Moves& moves) {
  for (auto from = moves.begin(); from != moves.end();) {
    auto to = from;
    while (to != moves.end() && *to != both) ++to;
    std::sort(from, to);
    from = to == moves.end() ? to : to + 1;
  }
}

}  // namespace alignment
