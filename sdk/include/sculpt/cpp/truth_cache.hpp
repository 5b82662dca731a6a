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
  // Computes value(example, truth) for every labelled example. Exceptions of `find` pass through.
  // [main]
  template <class Find>
  TruthCache(Ref dataset, Find find) {
    const Examples examples(dataset);
    for (std::int64_t example = 0; example < examples.count(); ++example) {
      const Labels truth = examples.truth(example);
      if (truth.known()) {
        held_.emplace_back(truth.data(), find(example, truth));
      } else {
        held_.emplace_back();
      }
    }
  }

  // Returns nullptr if `truth` is not the truth of the dataset, or there is none. [any]
  const Value* find(std::int64_t example, Labels truth) const {
    const auto k = static_cast<std::size_t>(example);
    if (k >= held_.size() || held_[k].first == nullptr) return nullptr;
    return held_[k].first == truth.data() ? &held_[k].second : nullptr;
  }

 private:
  std::vector<std::pair<const std::int32_t*, Value>> held_;  // [examples] the truth, its value
};

}  // namespace sculpt
