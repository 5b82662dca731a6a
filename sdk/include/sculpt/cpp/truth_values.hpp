// truth_values.hpp - something about the truth of each example, found once at bind.
//
// SPDX-License-Identifier: Apache-2.0
//
// For losses that need a number about the whole truth with every question, such as how many parts
// it has: frontiers ask once a cell.
#pragma once

#include <utility>
#include <vector>

#include "refs.hpp"

namespace sculpt {

template <class Value>
class TruthValues {
 public:
  TruthValues() = default;
  // value(example, truth) of every example that has one. In bind(); throws what it throws. [main]
  template <class Find>
  TruthValues(Ref dataset, Find find) {
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

  // nullptr: `truth` is not that of the dataset, or there is none. [any]
  const Value* find(std::int64_t example, Labels truth) const {
    const auto k = static_cast<std::size_t>(example);
    if (k >= held_.size() || held_[k].first == nullptr) return nullptr;
    return held_[k].first == truth.data() ? &held_[k].second : nullptr;
  }

 private:
  std::vector<std::pair<const std::int32_t*, Value>> held_;  // [examples] where the truth lies
};

}  // namespace sculpt
