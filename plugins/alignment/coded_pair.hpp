// coded_pair.hpp - two sequences with the symbols that tables of pairs know, numbered beforehand.
//
// Made for each call by alignment_model.cpp, read by pair_weights.hpp for each pair of positions.
#pragma once

#include <span>
#include <vector>

#include "pair_table.hpp"

namespace alignment {

class CodedSequence {
 public:
  // Of a sequence that lives as long, with `pad` wildcards before and behind.
  void assign(const Sequence& sequence, const std::vector<PairTable>& tables, std::int64_t pad);

  // The code that a table has for the position `pad` before i, and those behind it.
  const std::int32_t* codes(std::size_t table, std::int64_t i) const {
    return codes_.data() + table * stride_ + static_cast<std::size_t>(i);
  }
  std::int64_t length() const { return sequence_->length(); }
  std::int32_t letter(std::int64_t i) const {
    return sequence_->symbols.front()[static_cast<std::size_t>(i)];
  }
  // The numbers of a position, [columns], or none.
  std::span<const double> profile(std::int64_t i, std::int64_t columns) const {
    if (sequence_->profile.empty()) return {};
    return {sequence_->profile.data() + i * columns, static_cast<std::size_t>(columns)};
  }

 private:
  const Sequence* sequence_ = nullptr;
  std::vector<std::int32_t> codes_;  // [tables][stride_]
  std::size_t stride_ = 0;           // letters and pads
};

struct CodedPair {
  CodedSequence a;
  CodedSequence b;
};

}  // namespace alignment
