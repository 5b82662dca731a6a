#include "qp/working_set/alpha_snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sculpt::core {

void AlphaSnapshot::save(StateWriter& out) const {
  out.put(dual != none);
  if (dual == none) return;
  out.put(dual);
  out.put(dual_magnitude);
  out.put_array(alpha);
  out.put_array(block_sizes);
}

void AlphaSnapshot::load(StateReader& in, const std::vector<std::size_t>& current_sizes) {
  *this = {};
  if (!in.get_flag()) return;
  dual = in.get<double>();
  dual_magnitude = in.get<double>();
  in.require(std::isfinite(dual) && std::isfinite(dual_magnitude),
             "a stored dual that is not finite");
  in.get_array(alpha);
  in.get_array(block_sizes);
  in.require(block_sizes.size() == current_sizes.size() &&
                 std::equal(block_sizes.begin(), block_sizes.end(), current_sizes.begin(),
                            std::less_equal<std::uint64_t>()),
             "stored blocks that have other planes");
  in.require(
      std::all_of(block_sizes.begin(), block_sizes.end(),
                  [](std::uint64_t size) { return size > 0; }) &&
          std::accumulate(block_sizes.begin(), block_sizes.end(), std::uint64_t{0}) == alpha.size(),
      "a stored alpha of another length");
  std::size_t begin = 0;
  for (const std::uint64_t count : block_sizes) {
    for (std::size_t p = 0; p < count; ++p) {
      const double value = alpha[begin + p];
      in.require(value >= 0 && (p == 0 || std::isfinite(value)),
                 "a stored alpha that is negative or not finite");
    }
    begin += count;
  }
}

}  // namespace sculpt::core
