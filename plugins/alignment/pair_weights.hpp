// pair_weights.hpp - the weights of aligned pairs and of gaps, and their places in w.
//
//   w = (the block of offset -r, ..., the block of offset r, gap letters [, gap openings])
//   block = (tables of pairs of symbols [, product of profiles [, profiles at letters]])
//
// r is the window. A pair (i, j) of positions has features for each offset o, from the positions
// i + o and j + o. For each table there is a one at the weight of their symbols, and
//   product of profiles    sum over the columns k of a_k * b_k
//   profiles at letters    a's column of b's letter + b's column of a's letter, if profiles have
//                          a column for each letter
// Wildcards, positions beyond the ends, and sequences without a profile have no such features. Used
// by alignment_model.hpp. Sources for the tables: Yu, Joachims, Elber and Pillardy, J. Comput.
// Biol. 15 (2008). Sources for the profiles: Gribskov, McLachlan and Eisenberg, PNAS 84 (1987);
// Rychlewski et al., Protein Science 9 (2000).
#pragma once

#include <numeric>
#include <sculpt/sculpt.hpp>
#include <string_view>
#include <vector>

#include "coded_pair.hpp"
#include "pair_table.hpp"

namespace alignment {

struct PairShape {
  std::string model;  // match, simple, anova2, tensor
  bool symmetric = true;
  std::int64_t window = 0;
  bool affine = true;
  double max_weights = 0;  // more weights are refused
};

class PairWeights {
 public:
  PairWeights() = default;
  // `tracks`: the letters, then the other tracks. `columns`: the numbers in the profile of a
  // letter. Throws unsupported_error if there would be too many weights.
  PairWeights(const PairShape& shape, const std::vector<Track>& tracks, std::int64_t columns);

  const std::vector<PairTable>& tables() const { return tables_; }
  std::int64_t window() const { return window_; }
  std::int64_t gap_letter() const { return offsets() * block_; }
  std::int64_t gap_opening() const { return affine_ ? gap_letter() + 1 : -1; }
  std::int64_t dimension() const { return gap_letter() + (affine_ ? 2 : 1); }

  // Calls visit(weight, value) for each feature of the pair (i, j), counted from 0.
  template <class Visit>
  void each(const CodedPair& pair, std::int64_t i, std::int64_t j, Visit visit) const {
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const std::int32_t* const a = pair.a.codes(t, i);
      const std::int32_t* const b = pair.b.codes(t, j);
      std::int64_t first = first_[t];
      for (std::int64_t o = 0; o < offsets(); ++o, first += block_) {
        if (a[o] != wildcard && b[o] != wildcard) visit(first + tables_[t].weight(a[o], b[o]), 1.0);
      }
    }
    if (columns_ > 0) each_of_profiles(pair, i, j, visit);
  }

  // scores[j] = <w, features> of the pair (i, j), for every letter j of b.
  void score_row(const CodedPair& pair, std::int64_t i, std::span<const double> w,
                 std::span<double> scores) const;

  // Writes the group of each weight, in the order of w: each table at each offset is a group.
  // Weights without a group stay unchanged.
  void groups(std::span<std::int32_t> group) const;
  // Appends "A over R", "A with R", "equal letters", "product of profiles" or "gap letter". With a
  // window: "A with R at +1".
  void name(std::int64_t weight, sculpt::ByteOutput& out) const;

 private:
  std::int64_t offsets() const { return 2 * window_ + 1; }
  void name_in_block(std::int64_t weight, sculpt::ByteOutput& out) const;

  template <class Visit>
  void each_of_profiles(const CodedPair& pair, std::int64_t i, std::int64_t j, Visit visit) const {
    for (std::int64_t o = 0; o < offsets(); ++o) {
      const std::int64_t p = i + o - window_;
      const std::int64_t q = j + o - window_;
      if (p < 0 || q < 0 || p >= pair.a.length() || q >= pair.b.length()) continue;
      const std::span<const double> of_a = pair.a.profile(p, columns_);
      const std::span<const double> of_b = pair.b.profile(q, columns_);
      const std::int64_t weight = o * block_ + profiles_;
      if (!of_a.empty() && !of_b.empty()) {
        visit(weight, std::inner_product(of_a.begin(), of_a.end(), of_b.begin(), 0.0));
      }
      if (at_letters_ && !(of_a.empty() && of_b.empty())) {
        visit(weight + 1, at(of_a, pair.b.letter(q)) + at(of_b, pair.a.letter(p)));
      }
    }
  }
  static double at(std::span<const double> profile, std::int32_t letter) {
    return profile.empty() || letter == wildcard ? 0 : profile[static_cast<std::size_t>(letter)];
  }

  std::vector<PairTable> tables_;
  std::vector<std::int64_t> first_;  // where each begins in a block, [tables]
  std::int64_t window_ = 0;
  bool affine_ = false;
  std::int64_t columns_ = 0;
  bool at_letters_ = false;
  std::int64_t profiles_ = 0;  // where the weights of profiles begin in a block
  std::int64_t block_ = 0;     // weights of a block
};

}  // namespace alignment
