#include "solver/cutting_plane/contradiction.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace sculpt::core {
namespace {

// Cross products of decimal numbers such as 0.1 and 0.3 differ by their rounding.
constexpr double max_rounding = 4 * std::numeric_limits<double>::epsilon();

// True if two examples demand the opposite: a and -k a with k > 0, both with b > 0.
bool contradict(const ExamplePlane& first, const ExamplePlane& second) {
  if (first.example == second.example || first.b <= 0 || second.b <= 0) return false;
  if (first.a.empty() || first.a.size() != second.a.size()) return false;
  const double x0 = first.a.front().second;
  const double y0 = second.a.front().second;
  if ((x0 > 0) == (y0 > 0)) return false;
  return std::equal(first.a.begin(), first.a.end(), second.a.begin(),
                    [x0, y0](const auto& x, const auto& y) {
                      const double product = x.second * y0;
                      return x.first == y.first && std::isfinite(product) && product != 0 &&
                             std::abs(product - y.second * x0) <= max_rounding * std::abs(product);
                    });
}

// Returns two hashes of the direction of sign * a: its columns, its signs, and the ratio of the
// last entry to the first. The ratio counts in steps of 2^-40; the steps of the second hash begin
// half a step later. So planes a and k a, k > 0, have a hash in common, despite rounding.
std::array<std::uint64_t, 2> direction_hashes(const ExamplePlane& plane, double sign) {
  std::uint64_t columns = 0;
  for (const auto& [j, value] : plane.a) {
    const std::array<std::uint64_t, 3> parts = {columns, j, sign * value > 0 ? 1U : 0U};
    columns = XXH3_64bits(parts.data(), sizeof parts);
  }
  int exponent = 0;
  const double ratio =
      plane.a.empty() ? 0 : std::frexp(plane.a.back().second / plane.a.front().second, &exponent);
  std::array<std::uint64_t, 2> hashes = {};
  for (std::size_t k = 0; k < hashes.size(); ++k) {
    const double steps = std::floor(std::ldexp(ratio, 40) + 0.5 * static_cast<double>(k));
    const double step = std::ldexp(steps, exponent);
    const std::array<std::uint64_t, 3> parts = {columns, k, std::bit_cast<std::uint64_t>(step)};
    hashes[k] = XXH3_64bits(parts.data(), sizeof parts);
  }
  return hashes;
}

}  // namespace

ExamplePlane::ExamplePlane(std::int64_t example_index, const PlaneVector& plane, double plane_b)
    : example(example_index), b(plane_b) {
  plane.for_each_entry([this](std::size_t j, double value) {
    if (value != 0) a.emplace_back(j, value);
  });
  std::sort(a.begin(), a.end());
}

void InfeasiblePlanes::add(std::int64_t example, const PlaneVector& plane, double b) {
  plane.for_each_entry([this](std::size_t j, double value) {
    if (value == 0) return;
    double& magnitude = columns_[j];
    magnitude = std::max(magnitude, std::abs(value));
  });
  if (entries_ >= max_entries) return;
  stored_.emplace_back(example, plane, b);
  entries_ += stored_.back().a.size() + 1;
}

double InfeasiblePlanes::magnitude_of_smallest_column(double limit) const {
  double smallest = limit;
  for (const auto& [j, magnitude] : columns_) smallest = std::min(smallest, magnitude);
  return smallest;
}

std::optional<std::pair<std::int64_t, std::int64_t>> find_contradiction(
    const std::vector<ExamplePlane>& planes) {
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> planes_of_hash;
  for (std::size_t p = 0; p < planes.size(); ++p) {
    if (planes[p].b <= 0) continue;
    for (const std::uint64_t hash : direction_hashes(planes[p], 1)) {
      planes_of_hash[hash].push_back(p);
    }
  }
  for (const ExamplePlane& plane : planes) {
    for (const std::uint64_t hash : direction_hashes(plane, -1)) {
      const auto opposite = planes_of_hash.find(hash);
      if (opposite == planes_of_hash.end()) continue;
      for (const std::size_t q : opposite->second) {
        if (contradict(plane, planes[q])) return std::pair(plane.example, planes[q].example);
      }
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> find_impossible_example(const std::vector<ExamplePlane>& planes) {
  const auto position = std::find_if(planes.begin(), planes.end(), [](const ExamplePlane& plane) {
    return plane.a.empty() && plane.b > 0;
  });
  return position == planes.end() ? std::nullopt : std::optional(position->example);
}

}  // namespace sculpt::core
