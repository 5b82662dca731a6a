// step_counter.hpp - what a step of a guess adds to the counts of a loss, given the truth.
//
//   errors       1 for a step that the truth does not have: their sum is 0 only for the truth
//   matched      1 for a scored pair that the truth has
//   predicted    1 for a scored pair
//   within_k     1 for a pair (i, j) where the truth has a scored pair (i, j') and |j - j'| <= k
//
// Used by alignment_features.hpp.
#pragma once

#include <sculpt/program/frontier.hpp>

#include "gapped_paths.hpp"
#include "pairs_fasta.hpp"

namespace alignment {

class StepCounter {
 public:
  void begin(const SequencePair& pair, sculpt::Labels truth, bool local,
             std::span<const sculpt_count> counts);
  sculpt::program::Counts counts(const Step& step) const {
    sculpt::program::Counts result{0, 0};
    for (std::size_t k = 0; k < kinds_.size(); ++k) result[k] = count(kinds_[k], step) ? 1 : 0;
    return result;
  }

 private:
  enum class Of { errors, matched, predicted, within };
  struct Kind {
    Of of;
    std::int64_t within;
  };
  struct Cell {
    std::int64_t i = -1;
    std::int64_t j = -1;
    bool operator==(const Cell& other) const { return i == other.i && j == other.j; }
  };
  // The only cell of the truth's path on a diagonal i + j, and the move that leads to it.
  struct OnPath {
    std::int64_t i = -1;  // -1: it has none
    std::int32_t move = 0;
  };

  bool count(const Kind& kind, const Step& step) const {
    if (kind.of == Of::errors) return !right(step);
    if (!step.is_pair()) return false;
    const std::int64_t i = step.i - 1;
    const std::int64_t j = step.j - 1;
    if (kind.of == Of::predicted) return pair_->a.scored(i) && pair_->b.scored(j);
    const std::int64_t partner = partner_[static_cast<std::size_t>(i)];
    return partner >= 0 && j - partner <= kind.within && partner - j <= kind.within;
  }
  bool passes(std::int64_t i, std::int64_t j, std::int32_t move) const {
    const OnPath& place = path_[static_cast<std::size_t>(i + j)];
    return place.i == i && place.move == move;
  }
  // True if the truth has this step.
  bool right(const Step& step) const;

  const SequencePair* pair_ = nullptr;
  std::vector<Kind> kinds_;
  std::vector<std::int64_t> partner_;  // in scored pairs, or -1, [letters of a]
  std::vector<OnPath> path_;           // [i + j]
  Cell first_;                         // the head of the edge without tail
  Cell last_;                          // where it ends
  bool empty_ = false;                 // the truth is the empty alignment
};

}  // namespace alignment
