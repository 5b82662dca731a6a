#include "solver/contradiction.hpp"

#include <algorithm>

namespace sculpt::core {
namespace {

constexpr std::size_t most_planes = 1000;

bool contradict(const ExamplePlane& one, const ExamplePlane& other) {
  if (one.example == other.example || one.b <= 0 || other.b <= 0) return false;
  return std::equal(
      one.a.begin(), one.a.end(), other.a.begin(), other.a.end(),
      [](const auto& x, const auto& y) { return x.first == y.first && x.second == -y.second; });
}

}  // namespace

ExamplePlane::ExamplePlane(std::int64_t of, const PlaneVector& plane, double plane_b)
    : example(of), b(plane_b) {
  plane.for_each_entry([this](std::size_t j, double value) {
    if (value != 0) a.emplace_back(j, value);
  });
  std::sort(a.begin(), a.end());
}

std::optional<std::pair<std::int64_t, std::int64_t>> contradiction(
    const std::vector<ExamplePlane>& planes) {
  const std::size_t count = std::min(planes.size(), most_planes);
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t q = p + 1; q < count; ++q) {
      if (contradict(planes[p], planes[q])) return std::pair(planes[p].example, planes[q].example);
    }
  }
  return std::nullopt;
}

}  // namespace sculpt::core
