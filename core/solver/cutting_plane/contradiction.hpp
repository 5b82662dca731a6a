// contradiction.hpp - examples that no weights can serve under hard margin, whatever their norm.
//
// Called by inseparable.cpp. Of a plane (a, b) with b > 0 hard margin demands <w, a> >= b > 0, and
// of (-a, b') the contrary. So it is with equal rows that have different labels. Of (0, b) it
// demands 0 >= b: an output has the features of the truth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

struct ExamplePlane {
  ExamplePlane(std::int64_t of, const PlaneVector& plane, double plane_b);

  std::int64_t example;
  std::vector<std::pair<std::size_t, double>> a;  // entries that are not 0, by index
  double b;
};

// Planes among which a contradiction is looked for: the first ones, and the columns of all.
class InfeasiblePlanes {
 public:
  // Of all planes kept together, so that they take some 16 MB.
  static constexpr std::size_t most_entries = std::size_t{1} << 20;

  void add(std::int64_t example, const PlaneVector& plane, double b);
  const std::vector<ExamplePlane>& kept() const { return kept_; }
  // The largest |a_j| of the smallest column, at most `most`.
  double smallest_column(double most) const;

 private:
  std::vector<ExamplePlane> kept_;
  std::size_t entries_ = 0;                          // of them
  std::unordered_map<std::size_t, double> columns_;  // j, the largest |a_j| above 0
};

// The first two examples, in the order of the planes, that have opposite ones, entry by entry.
std::optional<std::pair<std::int64_t, std::int64_t>> contradiction(
    const std::vector<ExamplePlane>& planes);

// The first example with a plane (0, b), b > 0.
std::optional<std::int64_t> impossible_example(const std::vector<ExamplePlane>& planes);

}  // namespace sculpt::core
