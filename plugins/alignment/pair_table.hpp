// pair_table.hpp - a table of weights for pairs of symbols, one symbol of each sequence.
//
// A symbol is the symbol of a track, or the tuple of symbols of several tracks at one position.
// With n symbols an ordered table has n^2 weights, an unordered table n (n + 1) / 2. An equality
// table has two weights: one for equal symbols and one for different ones. Used by
// pair_weights.hpp.
#pragma once

#include <sculpt/sculpt.hpp>
#include <span>
#include <string>
#include <vector>

#include "alphabet.hpp"
#include "sequence.hpp"

namespace alignment {

sculpt::Error too_many_weights(double weights, double max_weights, const std::string& of);

class PairTable {
 public:
  enum class Kind { equality, ordered, unordered };

  // `tracks`: the indices in `all` of the tracks that form a symbol. Throws unsupported_error if
  // the table would have more than `max_weights`.
  PairTable(std::vector<std::size_t> tracks, const std::vector<Track>& all, Kind kind,
            double max_weights);

  std::int64_t size() const { return size_; }
  // Returns the number of the symbol at a position, or `wildcard` if one of its tracks has a
  // wildcard there.
  std::int32_t code(const Sequence& sequence, std::size_t position) const;
  // Returns the weight of two symbols, counted from 0. Neither may be a wildcard.
  std::int64_t weight(std::int32_t of_a, std::int32_t of_b) const {
    if (kind_ == Kind::equality) return of_a == of_b ? 0 : 1;
    const bool turned = kind_ == Kind::unordered && of_b < of_a;
    return row_[static_cast<std::size_t>(turned ? of_b : of_a)] + (turned ? of_a : of_b);
  }
  // Adds w[weight(of_a, codes[j])] to scores[j], except for wildcards. `of_a` must not be a
  // wildcard.
  void add_scores(std::int32_t of_a, const std::int32_t* codes, const double* w,
                  std::span<double> scores) const {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (codes[j] == wildcard) continue;
      scores[j] += w[weight(of_a, codes[j])];
    }
  }
  // Appends "A over R", "A with R", "structure, exposure: H/e with E/b" or "equal structure".
  void name(std::int64_t weight, sculpt::ByteOutput& out) const;

 private:
  std::string symbol(std::int64_t code) const;

  std::vector<std::size_t> tracks_;
  std::vector<Track> of_track_;  // [tracks_]
  Kind kind_;
  std::vector<std::int64_t> row_;  // [symbols] weight(p, q) = row_[p] + q; unused for equality
  std::int64_t size_ = 0;
};

}  // namespace alignment
