#include "coded_pair.hpp"

namespace alignment {

void CodedSequence::assign(const Sequence& sequence, const std::vector<PairTable>& tables,
                           std::int64_t pad) {
  sequence_ = &sequence;
  const auto padding = static_cast<std::size_t>(pad);
  stride_ = sequence.text.size() + 2 * padding;
  codes_.assign(tables.size() * stride_, wildcard);
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (std::size_t i = 0; i < sequence.text.size(); ++i) {
      codes_[t * stride_ + padding + i] = tables[t].code(sequence, i);
    }
  }
}

}  // namespace alignment
