// find_scale_imbalance: which columns differ too much in scale.

#include "command/data/column_scales.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

namespace {

// Columns 0, 1, ... of these sizes. Each has entries in `entries` rows.
std::vector<ColumnMagnitude> columns(const std::vector<double>& sizes, std::int64_t entries) {
  std::vector<ColumnMagnitude> all;
  for (const double size : sizes) all.push_back({std::ssize(all), entries, size});
  return all;
}

std::vector<std::int64_t> numbers(const std::vector<ColumnMagnitude>& sizes) {
  std::vector<std::int64_t> all;
  for (const ColumnMagnitude& one : sizes) all.push_back(one.column);
  return all;
}

}  // namespace

TEST_CASE("columns are reported if their scales differ by more than a factor of 1000") {
  CHECK_FALSE(find_scale_imbalance(columns({1, 1000}, 50), 50));
  CHECK_FALSE(find_scale_imbalance(columns({40000}, 50), 50));
  CHECK_FALSE(find_scale_imbalance({}, 50));
  const auto imbalance = find_scale_imbalance(columns({40, 41000, 1, 80000}, 50), 50);
  REQUIRE(imbalance);
  CHECK(imbalance->factor == 80000);
  CHECK(numbers(imbalance->large) == std::vector<std::int64_t>{3, 1});
  CHECK(numbers(imbalance->small) == std::vector<std::int64_t>{2, 0});
  CHECK(find_scale_imbalance(columns({1e-300, 1e300}, 1), 1)->large.size() == 1);
}

TEST_CASE("small columns in under 1 % of the rows are not reported, a large column is") {
  std::vector<ColumnMagnitude> sizes = columns({1, 2}, 1000);
  sizes.push_back({2, 9, 1e-4});
  CHECK_FALSE(find_scale_imbalance(sizes, 1000));
  sizes.push_back({3, 1, 1e-3});  // now the small columns are in a hundredth of the rows
  CHECK(find_scale_imbalance(sizes, 1000)->factor == 2000);
  sizes = columns({1, 2}, 1000);
  sizes.push_back({2, 1, 2e6});
  CHECK(find_scale_imbalance(sizes, 1000)->factor == 2e6);
}
