#include "check/answers/shrink.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

class Shrinker {
 public:
  Shrinker(std::vector<double>& values,
           const std::function<bool(const std::vector<double>&)>& fails, int max_calls)
      : values_(values), fails_(fails), remaining_calls_(max_calls) {}

  void run() {
    bool changed = true;
    while (changed && remaining_calls_ > 0) {
      changed = zero_blocks();
      changed = simplify_values() || changed;
    }
  }

 private:
  std::vector<std::size_t> nonzero_indices() const {
    std::vector<std::size_t> indices;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (values_[k] != 0) indices.push_back(k);
    }
    return indices;
  }

  bool try_values(std::vector<double> candidate) {
    if (remaining_calls_ <= 0) return false;
    --remaining_calls_;
    if (!fails_(candidate)) return false;
    values_ = std::move(candidate);
    return true;
  }

  // Sets blocks of nonzero values to zero, from all of them down to single ones.
  bool zero_blocks() {
    bool dropped = false;
    for (std::size_t size = nonzero_indices().size(); size > 0; size /= 2) {
      const std::vector<std::size_t> indices = nonzero_indices();
      for (std::size_t from = 0; from < indices.size(); from += size) {
        std::vector<double> candidate = values_;
        for (std::size_t k = from; k < std::min(indices.size(), from + size); ++k)
          candidate[indices[k]] = 0;
        dropped = try_values(std::move(candidate)) || dropped;
      }
    }
    return dropped;
  }

  // Replaces a value by the first of 1, 2 (with its sign) or the rounded value that still fails.
  bool simplify_values() {
    bool simplified = false;
    for (const std::size_t index : nonzero_indices()) {
      const double value = values_[index];
      const double sign = value < 0 ? -1 : 1;
      for (const double simple : {sign, 2 * sign, std::round(value)}) {
        if (value == simple) break;
        if (simple == 0) continue;
        std::vector<double> candidate = values_;
        candidate[index] = simple;
        if (!try_values(std::move(candidate))) continue;
        simplified = true;
        break;
      }
    }
    return simplified;
  }

  std::vector<double>& values_;
  const std::function<bool(const std::vector<double>&)>& fails_;
  int remaining_calls_;
};

}  // namespace

void shrink_values(std::vector<double>& values,
                   const std::function<bool(const std::vector<double>&)>& fails, int max_calls) {
  Shrinker(values, fails, max_calls).run();
}

}  // namespace sculpt::core
