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

// An error: `what` has more weights than the parameter `max_weights` allows.
sculpt::Error too_many_weights(double weights, double max_weights, const std::string& what);

class PairTable {
 public:
  enum class Kind { equality, ordered, unordered };

  // `tracks`: the indices in `all_tracks` of the tracks that form a symbol. Throws
  // unsupported_error if the table would have more than `max_weights`.
  PairTable(std::vector<std::size_t> tracks, const std::vector<Track>& all_tracks, Kind kind,
            double max_weights);

  std::int64_t size() const { return size_; }
  // Returns the number of the symbol at a position, or `wildcard` if one of its tracks has a
  // wildcard there.
  std::int32_t code(const Sequence& sequence, std::size_t position) const;
  // Returns the weight of two symbols, counted from 0. Neither may be a wildcard.
  std::int64_t weight(std::int32_t code_a, std::int32_t code_b) const {
    if (kind_ == Kind::equality) return code_a == code_b ? 0 : 1;
    const bool swapped = kind_ == Kind::unordered && code_b < code_a;
    return row_begin_[static_cast<std::size_t>(swapped ? code_b : code_a)] +
           (swapped ? code_a : code_b);
  }
  // Adds w[weight(code_a, codes[j])] to scores[j], except for wildcards. `code_a` must not be a
  // wildcard.
  void add_scores(std::int32_t code_a, const std::int32_t* codes, const double* w,
                  std::span<double> scores) const {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (codes[j] == wildcard) continue;
      scores[j] += w[weight(code_a, codes[j])];
    }
  }
  // Appends "A over R", "A with R", "structure, exposure: H/e with E/b" or "equal structure".
  void write_name(std::int64_t weight, sculpt::ByteOutput& out) const;

 private:
  // Returns the symbol of a code: "H", or "H/e" with two tracks.
  std::string symbol(std::int64_t code) const;

  std::vector<std::size_t> track_indices_;
  std::vector<Track> tracks_;  // [track_indices_.size()]
  Kind kind_;
  // [symbols] weight(p, q) = row_begin_[p] + q. Unused for equality.
  std::vector<std::int64_t> row_begin_;
  std::int64_t size_ = 0;
};

}  // namespace alignment
