#include "verify/probes.hpp"

#include <algorithm>

namespace sculpt::core {
namespace {

// sum u alpha a with random u.
Vector random_planes(const WorkingSet& planes, Random& random) {
  Vector probe(planes.w().dense().size(), 0.0);
  for (std::int64_t i = 0; i < planes.block_count(); ++i) {
    const Block& block = planes.block(i);
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (block.alpha[p] > 0 && random.chance(2)) block.a[p].add_to(2 * block.alpha[p], probe);
    }
  }
  return probe;
}

// v_j times a normal random number.
Vector random_weights(const Vector& v, Random& random) {
  Vector probe = v;
  for (double& value : probe) {
    if (value != 0) value *= random.normal();
  }
  return probe;
}

}  // namespace

Vector random_probe(std::int64_t number, const WorkingSet& planes, const Vector& v,
                    std::span<const std::uint8_t> nonnegative, Random& random) {
  Vector probe = number % 2 == 0 ? random_planes(planes, random) : random_weights(v, random);
  for (std::size_t j = 0; j < nonnegative.size(); ++j) {
    if (nonnegative[j] != 0) probe[j] = std::max(0.0, probe[j]);
  }
  return probe;
}

}  // namespace sculpt::core
