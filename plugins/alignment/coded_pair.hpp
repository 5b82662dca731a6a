// coded_pair.hpp - two sequences with their symbols numbered for the tables of pairs.
//
// Made in each call by alignment_model.cpp. pair_weights.hpp reads it for each pair of positions.
#pragma once

#include <span>
#include <vector>

#include "pair_table.hpp"

namespace alignment {

class CodedSequence {
 public:
  // Codes a sequence, with `pad` wildcards before and after it. `sequence` must outlive this
  // object.
  void assign(const Sequence& sequence, const std::vector<PairTable>& tables, std::int64_t pad);

  // Returns the codes of a table, [length() + 2 pad - i], beginning at position i - pad.
  const std::int32_t* codes(std::size_t table, std::int64_t i) const {
    return codes_.data() + table * stride_ + static_cast<std::size_t>(i);
  }
  std::int64_t length() const { return sequence_->length(); }
  std::int32_t letter(std::int64_t i) const {
    return sequence_->symbols.front()[static_cast<std::size_t>(i)];
  }
  // Returns the profile of a position, [columns], or an empty span.
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
