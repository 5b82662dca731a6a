#include "qp/working_set/alpha_snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sculpt::core {

void AlphaSnapshot::save(StateWriter& out) const {
  out.put(dual != none);
  if (dual == none) return;
  out.put(dual);
  out.put(scale);
  out.put_array(alpha);
  out.put_array(size);
}

void AlphaSnapshot::load(StateReader& in, const std::vector<std::size_t>& sizes) {
  *this = {};
  if (!in.get_flag()) return;
  dual = in.get<double>();
  scale = in.get<double>();
  in.require(std::isfinite(dual) && std::isfinite(scale), "a noted dual that is not finite");
  in.get_array(alpha);
  in.get_array(size);
  in.require(size.size() == sizes.size() && std::equal(size.begin(), size.end(), sizes.begin(),
                                                       std::less_equal<std::uint64_t>()),
             "noted blocks that have other planes");
  in.require(std::all_of(size.begin(), size.end(), [](std::uint64_t s) { return s > 0; }) &&
                 std::accumulate(size.begin(), size.end(), std::uint64_t{0}) == alpha.size(),
             "a noted alpha of another length");
  std::size_t begin = 0;
  for (const std::uint64_t count : size) {
    for (std::size_t p = 0; p < count; ++p) {
      const double value = alpha[begin + p];
      in.require(value >= 0 && (p == 0 || std::isfinite(value)),
                 "a noted alpha that is negative or not finite");
    }
    begin += count;
  }
}

}  // namespace sculpt::core
