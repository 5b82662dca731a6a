#include "solver/contradiction.hpp"

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
