// Examples with hard margins that no weights can satisfy are found by their planes.

#include "solver/cutting_plane/contradiction.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("two examples contradict each other if their planes are opposite in every entry") {
  const PlaneVector row(Vector{1, 0, -3});
  const PlaneVector opposite(Vector{-1, 0, 3});
  const PlaneVector near(Vector{-1, 0, 3.0000001});
  const PlaneVector longer(Vector{-1, 1, 3});
  using Pair = std::pair<std::int64_t, std::int64_t>;
  CHECK(find_contradiction({{4, row, 1}, {7, near, 1}, {8, opposite, 1}}) == Pair(4, 8));
  CHECK_FALSE(find_contradiction({{4, row, 1}, {7, near, 1}, {8, longer, 1}}).has_value());
  // w = 0 satisfies a plane with b = 0. Two planes of one example are not a contradiction of two.
  CHECK_FALSE(find_contradiction({{4, row, 1}, {8, opposite, 0}}).has_value());
  CHECK_FALSE(find_contradiction({{4, row, 1}, {4, opposite, 1}}).has_value());
}

TEST_CASE("planes contradict each other if one is a negative multiple of the other") {
  using Pair = std::pair<std::int64_t, std::int64_t>;
  const PlaneVector row(Vector{0.1, 0, -0.2});
  for (const double k : {1e-9, 1 / 3.0, 3.0, 7e12}) {
    CAPTURE(k);
    const PlaneVector opposite(Vector{-0.1 * k, 0, 0.2 * k});
    const PlaneVector same(Vector{0.1 * k, 0, -0.2 * k});
    const PlaneVector near(Vector{-0.1 * k, 0, (0.2 + 1e-14) * k});
    CHECK(find_contradiction({{4, row, 1}, {8, opposite, 1}}) == Pair(4, 8));
    CHECK(find_contradiction({{8, opposite, 1}, {4, row, 1}}) == Pair(8, 4));
    CHECK_FALSE(find_contradiction({{4, row, 1}, {8, same, 1}}).has_value());
    CHECK_FALSE(find_contradiction({{4, row, 1}, {8, near, 1}}).has_value());
  }
  CHECK(find_contradiction(
            {{1, PlaneVector(Vector{1}), 1}, {2, PlaneVector(Vector{-1.0001}), 1}}) == Pair(1, 2));
}

TEST_CASE("a plane with a = 0 and b > 0 is found as impossible, not as a contradiction") {
  const PlaneVector zero(Vector{0, 0, 0});
  const PlaneVector row(Vector{1, 0, -3});
  const std::vector<ExamplePlane> planes = {{3, zero, 0}, {4, row, 1}, {6, zero, 1}, {8, zero, 2}};
  CHECK_FALSE(find_contradiction(planes).has_value());
  CHECK(find_impossible_example(planes) == 6);
  CHECK_FALSE(find_impossible_example({{3, zero, 0}, {4, row, 1}}).has_value());
}

TEST_CASE("infeasible planes keep the first planes, and the magnitudes of all columns") {
  InfeasiblePlanes planes;
  CHECK(planes.magnitude_of_smallest_column(7) == 7);
  // Each plane counts as its two entries and one more.
  const auto max_planes = static_cast<std::int64_t>((InfeasiblePlanes::max_entries + 2) / 3);
  const std::int64_t count = max_planes + 5;
  for (std::int64_t i = 0; i < count; ++i) planes.add(i, PlaneVector(Vector{4, 0, -3}), 1);
  planes.add(count, PlaneVector(Vector{0, -0.5, 0}), 1);
  CHECK(planes.stored().size() == static_cast<std::size_t>(max_planes));
  CHECK(planes.stored().back().example == max_planes - 1);
  CHECK(planes.magnitude_of_smallest_column(7) == 0.5);
}
