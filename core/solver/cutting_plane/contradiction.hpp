// contradiction.hpp - finds examples with hard margins that no weights of any norm can satisfy.
//
// Called by inseparable.cpp. There are two cases:
//   a plane (a, b) with b > 0 demands <w, a> >= b > 0, and (-k a, b') with k, b' > 0 the opposite:
//   rows that are equal, or multiples of each other, with different labels
//   a plane (0, b) with b > 0 demands 0 >= b: an output has the features of the truth
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
  ExamplePlane(std::int64_t example_index, const PlaneVector& plane, double plane_b);

  std::int64_t example;
  std::vector<std::pair<std::size_t, double>> a;  // entries that are not 0, by index
  double b;
};

// Planes that are searched for a contradiction. It stores the first planes, and the columns of all.
class InfeasiblePlanes {
 public:
  // The limit on entries of all stored planes, some 16 MB.
  static constexpr std::size_t max_entries = std::size_t{1} << 20;

  void add(std::int64_t example, const PlaneVector& plane, double b);
  const std::vector<ExamplePlane>& stored() const { return stored_; }
  // The largest |a_j| of the smallest column, but at most `limit`.
  double magnitude_of_smallest_column(double limit) const;

 private:
  std::vector<ExamplePlane> stored_;
  std::size_t entries_ = 0;                          // of the stored planes
  std::unordered_map<std::size_t, double> columns_;  // j -> the largest |a_j|, if above 0
};

// Returns two examples with planes a and -k a, k > 0, which are opposite up to the rounding of a
// product. These are the first plane that has an opposite, and the first of its opposites.
std::optional<std::pair<std::int64_t, std::int64_t>> find_contradiction(
    const std::vector<ExamplePlane>& planes);

// Returns the first example with a plane (0, b), b > 0, if there is one.
std::optional<std::int64_t> find_impossible_example(const std::vector<ExamplePlane>& planes);

}  // namespace sculpt::core
