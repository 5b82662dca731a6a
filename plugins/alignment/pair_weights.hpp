// pair_weights.hpp - the weights of aligned letters and of gaps, and where each of them lies in w.
//
//   w = (the block of offset -r, ..., the block of offset r, gap letters [, gap openings])
//
// r is the window. A block has a weight for each pair of letters; a pair (i, j) of positions has,
// for each offset o, that of the letters i + o and j + o. Wildcards and what is beyond the ends
// have none. Used by alignment_features.hpp.
#pragma once

#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

#include "alphabet.hpp"

namespace alignment {

class PairWeights {
 public:
  PairWeights() = default;
  // `substitution`: a weight for each two letters, unordered where `symmetric`; else one for equal
  // letters and one for different ones.
  PairWeights(const Alphabet& alphabet, bool substitution, bool symmetric, std::int64_t window,
              bool affine)
      : alphabet_(alphabet),
        substitution_(substitution),
        symmetric_(symmetric),
        window_(window),
        affine_(affine),
        numbers_(alphabet.size() + 1),
        block_(static_cast<std::size_t>(numbers_ * numbers_), -1) {
    for (std::int32_t p = 0; p < alphabet.size(); ++p) {
      for (std::int32_t q = 0; q < alphabet.size(); ++q) {
        block_[cell(p, q)] = symmetric && q < p ? block_[cell(q, p)] : new_weight(p == q);
      }
    }
    if (!substitution) size_ = 2;
  }

  std::int64_t window() const { return window_; }
  std::int64_t offsets() const { return 2 * window_ + 1; }
  std::int64_t gap_letter() const { return offsets() * size_; }
  std::int64_t gap_opening() const { return affine_ ? gap_letter() + 1 : -1; }
  std::int64_t dimension() const { return gap_letter() + (affine_ ? 2 : 1); }

  std::size_t numbers() const { return static_cast<std::size_t>(numbers_); }
  // The cell of two letters in a table of all, [numbers()^2]: those of the alphabet, and the
  // wildcard.
  std::size_t cell(std::int32_t p, std::int32_t q) const {
    return static_cast<std::size_t>(p) * numbers() + static_cast<std::size_t>(q);
  }
  std::size_t cells() const { return block_.size(); }
  // The weight of a cell in the block of an offset, counted from 0; -1: none.
  std::int64_t weight(std::int64_t offset, std::size_t cell) const {
    return block_[cell] < 0 ? -1 : offset * size_ + block_[cell];
  }

  // table[offsets()][cells()]: the weights by cell, 0 where there is none. O(offsets * cells).
  void fill(std::span<const double> w, std::vector<double>& table) const {
    table.resize(static_cast<std::size_t>(offsets()) * cells());
    std::size_t at = 0;
    for (std::int64_t offset = 0; offset < offsets(); ++offset) {
      for (std::size_t k = 0; k < cells(); ++k) {
        const std::int64_t j = weight(offset, k);
        table[at++] = j < 0 ? 0 : w[static_cast<std::size_t>(j)];
      }
    }
  }

  // "A over R", "A with R", "equal letters", "gap letter"; of a window "A with R at +1".
  void name(std::int64_t weight, sculpt::ByteOutput& out) const {
    if (weight == gap_letter()) {
      out << "gap letter";
    } else if (weight == gap_opening()) {
      out << "gap opening";
    } else {
      name_of_pair(weight % size_, out);
      const std::int64_t offset = weight / size_ - window_;
      if (offset != 0) out << (offset > 0 ? " at +" : " at ") << offset;
    }
  }

 private:
  std::int32_t new_weight(bool equal) {
    if (substitution_) return size_++;
    return equal ? 0 : 1;
  }
  void name_of_pair(std::int64_t weight, sculpt::ByteOutput& out) const {
    if (!substitution_) {
      out << (weight == 0 ? "equal letters" : "different letters");
      return;
    }
    for (std::int32_t p = 0; p < alphabet_.size(); ++p) {
      for (std::int32_t q = 0; q < alphabet_.size(); ++q) {
        if (block_[cell(p, q)] != weight || (symmetric_ && q < p)) continue;
        out << std::string(1, alphabet_.letter(p)) << (symmetric_ ? " with " : " over ")
            << std::string(1, alphabet_.letter(q));
      }
    }
  }

  Alphabet alphabet_;
  bool substitution_ = false;
  bool symmetric_ = false;
  std::int64_t window_ = 0;
  bool affine_ = false;
  std::int32_t size_ = 0;            // weights of a block
  std::int32_t numbers_ = 0;         // letters, and the wildcard
  std::vector<std::int32_t> block_;  // [cells()] the weight within a block, -1: none
};

}  // namespace alignment
