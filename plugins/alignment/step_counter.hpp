// step_counter.hpp - what a step of a guess adds to the counts of a loss, given the truth.
//
//   errors       1 for a step that the truth does not have: their sum is 0 only for the truth
//   matched      1 for a scored pair that the truth has
//   predicted    1 for a scored pair
//   within_k     1 for a pair (i, j) where the truth has a scored pair (i, j') and |j - j'| <= k
//
// So matched is within_0. Used by alignment_features.hpp.
#pragma once

#include <sculpt/program/frontier.hpp>

#include "gapped_paths.hpp"
#include "pairs_fasta.hpp"

namespace alignment {

class StepCounter {
 public:
  void begin(const SequencePair& pair, sculpt::Labels truth, bool is_local,
             std::span<const sculpt_count> counts);
  sculpt::program::Counts counts(const Step& step) const {
    sculpt::program::Counts result{0, 0};
    for (std::size_t k = 0; k < requested_.size(); ++k) {
      result[k] = is_counted(requested_[k], step) ? 1 : 0;
    }
    return result;
  }

 private:
  enum class Kind { errors, predicted, within };
  // A count of the loss.
  struct RequestedCount {
    Kind kind;
    std::int64_t max_distance;  // k of within_k; 0 for matched
  };
  struct Cell {
    std::int64_t i = -1;
    std::int64_t j = -1;
    bool operator==(const Cell& other) const { return i == other.i && j == other.j; }
  };
  // The cell of the truth's path on a diagonal i + j, and the move that leads to it.
  struct TruthCell {
    std::int64_t i = -1;  // -1: the truth has no cell on the diagonal
    std::int32_t move = 0;
  };

  bool is_counted(const RequestedCount& requested, const Step& step) const {
    if (requested.kind == Kind::errors) return !truth_has(step);
    if (!step.is_pair()) return false;
    const std::int64_t i = step.i - 1;
    const std::int64_t j = step.j - 1;
    if (requested.kind == Kind::predicted) return pair_->a.is_scored(i) && pair_->b.is_scored(j);
    const std::int64_t partner = truth_partner_[static_cast<std::size_t>(i)];
    return partner >= 0 && j - partner <= requested.max_distance &&
           partner - j <= requested.max_distance;
  }
  // True if the truth comes to the cell (i, j) by this move.
  bool truth_reaches(std::int64_t i, std::int64_t j, std::int32_t move) const {
    const TruthCell& cell = truth_path_[static_cast<std::size_t>(i + j)];
    return cell.i == i && cell.move == move;
  }
  // True if the truth has this step.
  bool truth_has(const Step& step) const;

  const SequencePair* pair_ = nullptr;
  std::vector<RequestedCount> requested_;
  std::vector<std::int64_t> truth_partner_;  // j of the scored pair (i, j), or -1, [letters of a]
  std::vector<TruthCell> truth_path_;        // [i + j]
  Cell first_head_;                          // of the truth: the head of the edge without tail
  Cell last_head_;                           // the cell where the truth ends
  bool truth_is_empty_ = false;
};

}  // namespace alignment
