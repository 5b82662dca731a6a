#include "solver/cutting_plane/contradiction.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("two examples contradict each other where planes are opposite entry by entry") {
  const PlaneVector row(Vector{1, 0, -3});
  const PlaneVector opposite(Vector{-1, 0, 3});
  const PlaneVector near(Vector{-1, 0, 3.0000001});
  const PlaneVector longer(Vector{-1, 1, 3});
  using Pair = std::pair<std::int64_t, std::int64_t>;
  CHECK(contradiction({{4, row, 1}, {7, near, 1}, {8, opposite, 1}}) == Pair(4, 8));
  CHECK_FALSE(contradiction({{4, row, 1}, {7, near, 1}, {8, longer, 1}}).has_value());
  // A margin of 0 is kept by w = 0, and two outputs of one example are no contradiction of labels.
  CHECK_FALSE(contradiction({{4, row, 1}, {8, opposite, 0}}).has_value());
  CHECK_FALSE(contradiction({{4, row, 1}, {4, opposite, 1}}).has_value());
}

TEST_CASE("planes without features contradict no other one, and are told by themselves") {
  const PlaneVector zero(Vector{0, 0, 0});
  const PlaneVector row(Vector{1, 0, -3});
  const std::vector<ExamplePlane> planes = {{3, zero, 0}, {4, row, 1}, {6, zero, 1}, {8, zero, 2}};
  CHECK_FALSE(contradiction(planes).has_value());
  CHECK(impossible_example(planes) == 6);
  CHECK_FALSE(impossible_example({{3, zero, 0}, {4, row, 1}}).has_value());
}

TEST_CASE("of a proof the first planes are kept, and the columns of all are known") {
  InfeasiblePlanes planes;
  CHECK(planes.smallest_column(7) == 7);
  // Two entries and one more for each.
  const auto most = static_cast<std::int64_t>((InfeasiblePlanes::max_entries + 2) / 3);
  const std::int64_t count = most + 5;
  for (std::int64_t i = 0; i < count; ++i) planes.add(i, PlaneVector(Vector{4, 0, -3}), 1);
  planes.add(count, PlaneVector(Vector{0, -0.5, 0}), 1);
  CHECK(planes.kept().size() == static_cast<std::size_t>(most));
  CHECK(planes.kept().back().example == most - 1);
  CHECK(planes.smallest_column(7) == 0.5);
}
