// Inner products, sums and merged entries of dense and sparse vectors.

#include "linalg/products.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace sculpt::core;

TEST_CASE("sparse and dense products agree at every length and overlap") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t dimension = 1 + random() % 40;
    Vector x(dimension, 0.0), y(dimension, 0.0);
    SparseVector sparse_x, sparse_y;
    for (std::size_t k = 0; k < dimension; ++k) {
      if (random() % 2 == 0) {
        x[k] = static_cast<double>(random() % 9) + 1;
        sparse_x.index.push_back(static_cast<std::int32_t>(k));
        sparse_x.value.push_back(x[k]);
      }
      if (random() % 3 == 0) {
        y[k] = -1 - static_cast<double>(random() % 9);
        sparse_y.index.push_back(static_cast<std::int32_t>(k));
        sparse_y.value.push_back(y[k]);
      }
    }
    double expected = 0;
    for (std::size_t k = 0; k < dimension; ++k) expected += x[k] * y[k];
    CHECK(dot(x, y) == expected);  // small integers: exact in any order
    CHECK(dot(sparse_x, y) == expected);
    CHECK(dot(sparse_x, sparse_y) == expected);
    CHECK(squared_norm(sparse_x) == squared_norm(x));

    Vector sum = y;
    axpy(2, sparse_x, sum);
    Vector dense_sum = y;
    axpy(2, x, dense_sum);
    CHECK(sum == dense_sum);
    for (std::size_t k = 0; k < dimension; ++k) CHECK(sum[k] == y[k] + 2 * x[k]);
  }
}

TEST_CASE("merged entries have increasing indices, summed values and no zeros") {
  std::mt19937_64 random(11);
  for (const std::size_t count : {0u, 1u, 63u, 64u, 300u, 4095u, 4096u}) {
    for (const std::uint64_t range : {3u, 2000u, 2147483647u}) {
      std::vector<Entry> entries;
      std::map<std::int32_t, double> expected;
      for (std::size_t k = 0; k < count; ++k) {
        const auto index = static_cast<std::int32_t>(random() % range);
        const double value = static_cast<double>(random() % 3) - 1;
        entries.push_back({index, value});
        expected[index] += value;
      }
      SparseVector merged;
      merged.index = {9, 9};  // must be overwritten
      merged.value = {9, 9};
      merge_entries(entries, merged);
      std::erase_if(expected, [](const auto& entry) { return entry.second == 0; });
      REQUIRE(merged.index.size() == expected.size());
      REQUIRE(merged.value.size() == expected.size());
      std::size_t k = 0;
      for (const auto& [index, value] : expected) {
        CHECK(merged.index[k] == index);
        CHECK(merged.value[k] == value);
        ++k;
      }
    }
  }
}

TEST_CASE("merged values of one index are added in the order of the entries") {
  for (const std::size_t others : {0u, 1000u}) {
    std::vector<Entry> entries = {{5, 1e16}, {5, 1.0}, {5, -1e16}};
    for (std::size_t k = 0; k < others; ++k) entries.push_back({6, 1});
    SparseVector merged;
    merge_entries(entries, merged);
    // In doubles (1e16 + 1) - 1e16 is 0, so the index is dropped. Any other order gives 1.
    CHECK(merged.index.size() == (others == 0 ? 0 : 1));
  }
}
