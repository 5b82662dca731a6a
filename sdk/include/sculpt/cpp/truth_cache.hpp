// truth_cache.hpp - a cache: one value for the truth of each example, computed in bind().
//
// SPDX-License-Identifier: Apache-2.0
//
// For losses that need a number of the whole truth in every call, such as its number of parts.
// Frontiers call them once a cell.
#pragma once

#include <utility>
#include <vector>

#include "refs.hpp"

namespace sculpt {

template <class Value>
class TruthCache {
 public:
  TruthCache() = default;
  // Computes compute(example, truth) for every labelled example. Exceptions of `compute` pass
  // through. [main]
  template <class Compute>
  TruthCache(Ref dataset, Compute compute) {
    const Examples examples(dataset);
    for (std::int64_t example = 0; example < examples.count(); ++example) {
      const Labels truth = examples.truth(example);
      if (truth.known()) {
        entries_.emplace_back(truth.data(), compute(example, truth));
      } else {
        entries_.emplace_back();
      }
    }
  }

  // Returns nullptr if `truth` is not the truth of the dataset, or there is none. [any]
  const Value* find(std::int64_t example, Labels truth) const {
    const auto k = static_cast<std::size_t>(example);
    if (k >= entries_.size() || entries_[k].first == nullptr) return nullptr;
    return entries_[k].first == truth.data() ? &entries_[k].second : nullptr;
  }

 private:
  std::vector<std::pair<const std::int32_t*, Value>> entries_;  // [examples] the truth, its value
};

}  // namespace sculpt
