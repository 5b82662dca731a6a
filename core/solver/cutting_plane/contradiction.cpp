#include "solver/cutting_plane/contradiction.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>

namespace sculpt::core {
namespace {

// True if two examples demand the opposite: a and -a, both with b > 0.
bool contradict(const ExamplePlane& first, const ExamplePlane& second) {
  if (first.example == second.example || first.b <= 0 || second.b <= 0) return false;
  if (first.a.empty()) return false;
  return std::equal(
      first.a.begin(), first.a.end(), second.a.begin(), second.a.end(),
      [](const auto& x, const auto& y) { return x.first == y.first && x.second == -y.second; });
}

// The hash of sign * a.
std::uint64_t hash(const ExamplePlane& plane, double sign) {
  std::uint64_t result = 0;
  for (const auto& [j, value] : plane.a) {
    const std::array<std::uint64_t, 3> parts = {result, j,
                                                std::bit_cast<std::uint64_t>(sign * value)};
    result = XXH3_64bits(parts.data(), sizeof parts);
  }
  return result;
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
    if (planes[p].b > 0) planes_of_hash[hash(planes[p], 1)].push_back(p);
  }
  for (const ExamplePlane& plane : planes) {
    const auto opposite = planes_of_hash.find(hash(plane, -1));
    if (opposite == planes_of_hash.end()) continue;
    for (const std::size_t q : opposite->second) {
      if (contradict(plane, planes[q])) return std::pair(plane.example, planes[q].example);
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
