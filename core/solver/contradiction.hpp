// contradiction.hpp - two examples that no weights can serve under hard margin, whatever their
// norm.
//
// Called by inseparable.cpp. Of a plane (a, b) with b > 0 hard margin demands <w, a> >= b > 0, and
// of (-a, b') the contrary. So it is with equal rows that have different labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "qp/plane_vector.hpp"

namespace sculpt::core {

struct ExamplePlane {
  ExamplePlane(std::int64_t of, const PlaneVector& plane, double plane_b);

  std::int64_t example;
  std::vector<std::pair<std::size_t, double>> a;  // entries that are not 0, by index
  double b;
};

// The first two examples, in the order of the planes, that have opposite ones, entry by entry.
// Looks at the first thousand planes alone: all pairs of them take a moment.
std::optional<std::pair<std::int64_t, std::int64_t>> contradiction(
    const std::vector<ExamplePlane>& planes);

}  // namespace sculpt::core
