#include "command/data/column_scales.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

namespace {

// Columns 0, 1, ... that `entries` rows have, of these sizes.
std::vector<ColumnScale> columns(const std::vector<double>& sizes, std::int64_t entries) {
  std::vector<ColumnScale> all;
  for (const double size : sizes) all.push_back({std::ssize(all), entries, size});
  return all;
}

std::vector<std::int64_t> numbers(const std::vector<ColumnScale>& sizes) {
  std::vector<std::int64_t> all;
  for (const ColumnScale& one : sizes) all.push_back(one.column);
  return all;
}

}  // namespace

TEST_CASE("columns within a thousand of each other are no alarm, those beyond are") {
  CHECK_FALSE(find_scale_imbalance(columns({1, 1000}, 50), 50));
  CHECK_FALSE(find_scale_imbalance(columns({40000}, 50), 50));
  CHECK_FALSE(find_scale_imbalance({}, 50));
  const auto gap = find_scale_imbalance(columns({40, 41000, 1, 80000}, 50), 50);
  REQUIRE(gap);
  CHECK(gap->factor == 80000);
  CHECK(numbers(gap->large) == std::vector<std::int64_t>{3, 1});
  CHECK(numbers(gap->small) == std::vector<std::int64_t>{2, 0});
  CHECK(find_scale_imbalance(columns({1e-300, 1e300}, 1), 1)->large.size() == 1);
}

TEST_CASE("small columns that hardly any row has are no alarm, a large one is") {
  std::vector<ColumnScale> sizes = columns({1, 2}, 1000);
  sizes.push_back({2, 9, 1e-4});
  CHECK_FALSE(find_scale_imbalance(sizes, 1000));
  sizes.push_back({3, 1, 1e-3});  // with it they are in a hundredth of the rows
  CHECK(find_scale_imbalance(sizes, 1000)->factor == 2000);
  sizes = columns({1, 2}, 1000);
  sizes.push_back({2, 1, 2e6});
  CHECK(find_scale_imbalance(sizes, 1000)->factor == 2e6);
}
