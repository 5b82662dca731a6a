#include <algorithm>
#include <numeric>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

double Block::alpha_sum() const {
  return std::accumulate(alpha.begin() + 1, alpha.end(), 0.0);
}

bool Block::has_key(std::uint64_t wanted_key) const {
  return std::find(key.begin() + 1, key.end(), wanted_key) != key.end();
}

bool Block::share_input(PlaneVector& plane) const {
  for (std::size_t p = 1; p < a.size() && plane.is_class_difference(); ++p) {
    plane.share_input(a[p]);
    if (plane.shares_input(a[p])) return true;
  }
  return false;
}

}  // namespace sculpt::core
