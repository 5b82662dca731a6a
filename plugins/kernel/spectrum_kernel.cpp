#include "spectrum_kernel.hpp"

#include <algorithm>
#include <limits>

namespace kernel {

void SpectrumKernel::bind(const sculpt::Bindings& to) {
  sequences_ = sequences_of(sculpt::SiteAtoms(to.dataset));
  data_ = counted(sequences_, rows_);
  numbers_.clear();
}

void SpectrumKernel::keep(const sculpt::KeptAtoms& kept) {
  std::vector<Symbols> sequences;
  for (std::int64_t k = 0; k < kept.count(); ++k) {
    std::optional<Symbols> symbols = read_symbols(kept[k]);
    if (!symbols) sculpt::KeptAtoms::refuse(k);
    sequences.push_back(std::move(*symbols));
  }
  kept_data_ = counted(sequences, kept_rows_);
}

// Numbers the substrings by their first appearance. No sum of counts depends on the numbers.
OwnRow SpectrumKernel::counts_of(const Symbols& symbols) {
  std::vector<std::int32_t> found;
  for (std::size_t begin = 0; begin + length_ <= symbols.size(); ++begin) {
    const std::string bytes(reinterpret_cast<const char*>(symbols.data() + begin),
                            length_ * sizeof(std::int32_t));
    if (numbers_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw sculpt::data_error(
          "the sequences have more than 2147483647 different substrings; use "
          "a smaller length or fewer examples");
    }
    found.push_back(
        numbers_.emplace(bytes, static_cast<std::int32_t>(numbers_.size())).first->second);
  }
  std::sort(found.begin(), found.end());
  OwnRow row;
  for (const std::int32_t number : found) {
    if (row.index.empty() || row.index.back() != number) {
      row.index.push_back(number);
      row.value.push_back(0);
    }
    row.value.back() += 1;
  }
  return row;
}

SummedRows SpectrumKernel::counted(const std::vector<Symbols>& sequences, CountedRows& rows) {
  for (const Symbols& symbols : sequences) rows.rows.push_back(counts_of(symbols));
  for (const OwnRow& row : rows.rows) rows.views.push_back(row.view());
  return {Combine::product, rows.views, static_cast<std::int64_t>(numbers_.size())};
}

}  // namespace kernel
