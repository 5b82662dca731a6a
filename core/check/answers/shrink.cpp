#include "check/answers/shrink.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

class Shrinker {
 public:
  Shrinker(std::vector<double>& values,
           const std::function<bool(const std::vector<double>&)>& fails, int budget)
      : values_(values), fails_(fails), budget_(budget) {}

  void run() {
    bool changed = true;
    while (changed && budget_ > 0) {
      changed = drop();
      changed = simplify() || changed;
    }
  }

 private:
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (values_[k] != 0) places.push_back(k);
    }
    return places;
  }

  bool attempt(std::vector<double> changed) {
    if (budget_ <= 0) return false;
    --budget_;
    if (!fails_(changed)) return false;
    values_ = std::move(changed);
    return true;
  }

  // Sets blocks of nonzero values to zero, from all of them down to single ones.
  bool drop() {
    bool dropped = false;
    for (std::size_t size = places().size(); size > 0; size /= 2) {
      const std::vector<std::size_t> now = places();
      for (std::size_t from = 0; from < now.size(); from += size) {
        std::vector<double> changed = values_;
        for (std::size_t k = from; k < std::min(now.size(), from + size); ++k) changed[now[k]] = 0;
        dropped = attempt(std::move(changed)) || dropped;
      }
    }
    return dropped;
  }

  // Replaces a value by the first of 1, 2 (with its sign) or the rounded value that still fails.
  bool simplify() {
    bool simplified = false;
    for (const std::size_t place : places()) {
      const double value = values_[place];
      const double sign = value < 0 ? -1 : 1;
      for (const double simple : {sign, 2 * sign, std::round(value)}) {
        if (value == simple) break;
        if (simple == 0) continue;
        std::vector<double> changed = values_;
        changed[place] = simple;
        if (!attempt(std::move(changed))) continue;
        simplified = true;
        break;
      }
    }
    return simplified;
  }

  std::vector<double>& values_;
  const std::function<bool(const std::vector<double>&)>& fails_;
  int budget_;
};

}  // namespace

void shrink_values(std::vector<double>& values,
                   const std::function<bool(const std::vector<double>&)>& fails, int budget) {
  Shrinker(values, fails, budget).run();
}

}  // namespace sculpt::core
