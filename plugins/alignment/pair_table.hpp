// pair_table.hpp - a table of weights for two symbols, one of each sequence.
//
// A symbol is that of one track, or the tuple of those of several tracks, all at one position:
// with n tuples the table has n^2 weights, n (n + 1) / 2 where their order does not matter, or two,
// one for equal symbols and one for different ones. Used by pair_weights.hpp.
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

  // `tracks`: which of `all` it takes together, by number. Throws unsupported_error when the table
  // would have more than `max_weights`.
  PairTable(std::vector<std::size_t> tracks, const std::vector<Track>& all, Kind kind,
            double max_weights);

  std::int64_t size() const { return size_; }
  // The number of the symbol at a position, or `wildcard` when one of its tracks has that.
  std::int32_t code(const Sequence& sequence, std::size_t position) const;
  // The weight of two symbols, neither a wildcard, from 0.
  std::int64_t weight(std::int32_t of_a, std::int32_t of_b) const {
    if (kind_ == Kind::equality) return of_a == of_b ? 0 : 1;
    const bool turned = kind_ == Kind::unordered && of_b < of_a;
    return row_[static_cast<std::size_t>(turned ? of_b : of_a)] + (turned ? of_a : of_b);
  }
  // scores[j] += w[weight(of_a, codes[j])] for those codes that are no wildcards; `of_a` is none.
  void add_scores(std::int32_t of_a, const std::int32_t* codes, const double* w,
                  std::span<double> scores) const {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (codes[j] == wildcard) continue;
      scores[j] += w[weight(of_a, codes[j])];
    }
  }
  // "A over R", "A with R", "structure, exposure: H/e with E/b", "equal structure".
  void name(std::int64_t weight, sculpt::ByteOutput& out) const;

 private:
  std::string symbol(std::int64_t code) const;

  std::vector<std::size_t> tracks_;
  std::vector<Track> of_track_;  // [tracks_]
  Kind kind_;
  std::vector<std::int64_t> row_;  // [symbols] weight(p, q) = row_[p] + q; not of equality
  std::int64_t size_ = 0;
};

}  // namespace alignment
