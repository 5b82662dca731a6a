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

// Parameters of AlignmentModel.
struct PairWeightOptions {
  std::string model;  // match, simple, anova2, tensor
  bool is_symmetric = true;
  std::int64_t window = 0;
  bool is_affine = true;
  double max_weights = 0;  // more weights are refused
};

class PairWeights {
 public:
  PairWeights() = default;
  // `tracks`: the letters, then the other tracks. `columns`: the numbers in the profile of a
  // letter. Throws unsupported_error if there would be too many weights.
  PairWeights(const PairWeightOptions& options, const std::vector<Track>& tracks,
              std::int64_t columns);

  const std::vector<PairTable>& tables() const { return tables_; }
  std::int64_t window() const { return window_; }
  std::int64_t gap_letter() const { return offsets() * block_size_; }
  std::int64_t gap_opening() const { return is_affine_ ? gap_letter() + 1 : -1; }
  std::int64_t dimension() const { return gap_letter() + (is_affine_ ? 2 : 1); }

  // Calls visit(weight, value) for each feature of the pair (i, j), counted from 0.
  template <class Visit>
  void each_feature(const CodedPair& pair, std::int64_t i, std::int64_t j, Visit visit) const {
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const std::int32_t* const a = pair.a.codes(t, i);
      const std::int32_t* const b = pair.b.codes(t, j);
      std::int64_t first = table_begin_[t];
      for (std::int64_t o = 0; o < offsets(); ++o, first += block_size_) {
        if (a[o] != wildcard && b[o] != wildcard) visit(first + tables_[t].weight(a[o], b[o]), 1.0);
      }
    }
    if (profile_columns_ > 0) each_profile_feature(pair, i, j, visit);
  }

  // scores[j] = <w, features> of the pair (i, j), for every letter j of b.
  void score_row(const CodedPair& pair, std::int64_t i, std::span<const double> w,
                 std::span<double> scores) const;

  // Writes the group of each weight, in the order of w: each table at each offset is a group.
  // Weights without a group stay unchanged.
  void groups(std::span<std::int32_t> group) const;
  // Appends "A over R", "A with R", "equal letters", "product of profiles" or "gap letter". With a
  // window: "A with R at +1".
  void write_name(std::int64_t weight, sculpt::ByteOutput& out) const;

 private:
  std::int64_t offsets() const { return 2 * window_ + 1; }
  void write_name_in_block(std::int64_t weight, sculpt::ByteOutput& out) const;

  template <class Visit>
  void each_profile_feature(const CodedPair& pair, std::int64_t i, std::int64_t j,
                            Visit visit) const {
    for (std::int64_t o = 0; o < offsets(); ++o) {
      const std::int64_t p = i + o - window_;
      const std::int64_t q = j + o - window_;
      if (p < 0 || q < 0 || p >= pair.a.length() || q >= pair.b.length()) continue;
      const std::span<const double> profile_a = pair.a.profile(p, profile_columns_);
      const std::span<const double> profile_b = pair.b.profile(q, profile_columns_);
      const std::int64_t weight = o * block_size_ + profiles_begin_;
      if (!profile_a.empty() && !profile_b.empty()) {
        visit(weight,
              std::inner_product(profile_a.begin(), profile_a.end(), profile_b.begin(), 0.0));
      }
      if (has_letter_columns_ && !(profile_a.empty() && profile_b.empty())) {
        visit(weight + 1,
              value_at(profile_a, pair.b.letter(q)) + value_at(profile_b, pair.a.letter(p)));
      }
    }
  }
  // Returns the profile's column of a letter, or 0 without a profile or for a wildcard.
  static double value_at(std::span<const double> profile, std::int32_t letter) {
    return profile.empty() || letter == wildcard ? 0 : profile[static_cast<std::size_t>(letter)];
  }

  std::vector<PairTable> tables_;
  std::vector<std::int64_t> table_begin_;  // the first weight of each table in a block, [tables]
  std::int64_t window_ = 0;
  bool is_affine_ = false;
  std::int64_t profile_columns_ = 0;
  bool has_letter_columns_ = false;
  std::int64_t profiles_begin_ = 0;  // the first weight of profiles in a block
  std::int64_t block_size_ = 0;      // weights of a block
};

}  // namespace alignment
