#include "solver/cutting_plane/contradiction.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>

namespace sculpt::core {
namespace {

bool contradict(const ExamplePlane& one, const ExamplePlane& other) {
  if (one.example == other.example || one.b <= 0 || other.b <= 0 || one.a.empty()) return false;
  return std::equal(
      one.a.begin(), one.a.end(), other.a.begin(), other.a.end(),
      [](const auto& x, const auto& y) { return x.first == y.first && x.second == -y.second; });
}

std::uint64_t hash(const ExamplePlane& plane, double sign) {
  std::uint64_t sum = 0;
  for (const auto& [j, value] : plane.a) {
    const std::array<std::uint64_t, 3> parts = {sum, j, std::bit_cast<std::uint64_t>(sign * value)};
    sum = XXH3_64bits(parts.data(), sizeof parts);
  }
  return sum;
}

}  // namespace

ExamplePlane::ExamplePlane(std::int64_t of, const PlaneVector& plane, double plane_b)
    : example(of), b(plane_b) {
  plane.for_each_entry([this](std::size_t j, double value) {
    if (value != 0) a.emplace_back(j, value);
  });
  std::sort(a.begin(), a.end());
}

void InfeasiblePlanes::add(std::int64_t example, const PlaneVector& plane, double b) {
  plane.for_each_entry([this](std::size_t j, double value) {
    if (value == 0) return;
    double& size = columns_[j];
    size = std::max(size, std::abs(value));
  });
  if (entries_ >= max_entries) return;
  kept_.emplace_back(example, plane, b);
  entries_ += kept_.back().a.size() + 1;
}

double InfeasiblePlanes::smallest_column(double most) const {
  double least = most;
  for (const auto& [j, size] : columns_) least = std::min(least, size);
  return least;
}

std::optional<std::pair<std::int64_t, std::int64_t>> contradiction(
    const std::vector<ExamplePlane>& planes) {
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> alike;
  for (std::size_t p = 0; p < planes.size(); ++p) {
    if (planes[p].b > 0) alike[hash(planes[p], 1)].push_back(p);
  }
  for (const ExamplePlane& plane : planes) {
    const auto opposite = alike.find(hash(plane, -1));
    if (opposite == alike.end()) continue;
    for (const std::size_t q : opposite->second) {
      if (contradict(plane, planes[q])) return std::pair(plane.example, planes[q].example);
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> impossible_example(const std::vector<ExamplePlane>& planes) {
  const auto found = std::find_if(planes.begin(), planes.end(), [](const ExamplePlane& plane) {
    return plane.a.empty() && plane.b > 0;
  });
  return found == planes.end() ? std::nullopt : std::optional(found->example);
}

}  // namespace sculpt::core
