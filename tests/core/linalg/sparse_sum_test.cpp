// Sums and differences of sparse vectors, compared with a std::map.

#include "linalg/sparse_sum.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace sculpt::core;

namespace {

struct Entries {
  std::vector<std::int32_t> index;
  std::vector<double> value;
};

// Some indices repeat, and some of their values cancel.
Entries random_entries(std::mt19937_64& random, std::int64_t dimension, std::size_t count) {
  Entries entries;
  for (std::size_t k = 0; k < count; ++k) {
    const bool again = k > 0 && random() % 3 == 0;
    entries.index.push_back(
        again ? entries.index[random() % k]
              : static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(dimension)));
    entries.value.push_back((static_cast<double>(random() % 7) - 3) / 3);
  }
  return entries;
}

void add(std::map<std::int32_t, double>& sum, const std::vector<std::int32_t>& index,
         const std::vector<double>& value, double sign = 1) {
  for (std::size_t k = 0; k < index.size(); ++k) sum[index[k]] += sign * value[k];
}

void check_equal(const SparseVector& vector, const std::map<std::int32_t, double>& sum,
                 double scale) {
  SparseVector expected;
  for (const auto& [index, value] : sum) {
    if (value == 0) continue;
    expected.index.push_back(index);
    expected.value.push_back(scale * value);
  }
  CHECK(vector.index == expected.index);
  CHECK(vector.value == expected.value);
}

}  // namespace

TEST_CASE("sparse sums and differences are those of a map, for small and large dimensions") {
  std::mt19937_64 random(1);
  for (const std::int64_t dimension : {1, 63, 64, 65, 4096, 5000, 262144, 262145, 2000000000}) {
    CAPTURE(dimension);
    SparseSum sum(dimension);  // must be empty after every call
    SparseVector x, y, difference;
    for (int trial = 0; trial < 20; ++trial) {
      const Entries first = random_entries(random, dimension, random() % 300);
      const Entries second = random_entries(random, dimension, random() % 300);
      std::map<std::int32_t, double> expected;
      add(expected, first.index, first.value);
      sum.merge(first.index, first.value.data(), x);
      check_equal(x, expected, 1);
      sum.merge(second.index, second.value.data(), y);
      expected.clear();
      add(expected, x.index, x.value);
      add(expected, y.index, y.value, -1);
      sum.subtract(x, y, 0.7, difference);
      check_equal(difference, expected, 0.7);
    }
  }
}
