// Sums that are added while their parts are made: the bits of the tree, whatever the order, and few
// vectors at a time.

#include "parallel/node_sums.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "parallel/sum_tree.hpp"
#include "parallel/workers.hpp"

using namespace sculpt::core;

namespace {

constexpr std::size_t size = 300;  // more than a block of VectorTreeSum

double uneven_number(std::int64_t part, std::size_t j) {
  return std::sin(static_cast<double>(part * 37 + 1) + static_cast<double>(j)) *
         std::pow(10, static_cast<double>((part + static_cast<std::int64_t>(j)) % 12));
}

// By the definition of the tree.
Vector expected_sum(std::int64_t parts) {
  Vector sum(size);
  for (std::size_t j = 0; j < size; ++j) {
    sum[j] = tree_sum(0, parts, [&](std::int64_t part) { return uneven_number(part, j); });
  }
  return sum;
}

void add(NodeSums& sums, std::int64_t part) {
  Vector numbers = sums.take_vector();
  numbers.resize(size);
  for (std::size_t j = 0; j < size; ++j) numbers[j] = uneven_number(part, j);
  sums.add_part(part, std::move(numbers));
}

Vector sum_of(const NodeSums& sums, std::int64_t parts) {
  Vector sum(size);
  VectorTreeSum().sum_range(
      0, parts, 0, size,
      [&](std::int64_t begin, std::int64_t end, std::size_t j) {
        const double* const known = sums.find(begin, end);
        return known == nullptr ? nullptr : known + j;
      },
      sum.data());
  return sum;
}

std::int64_t known_nodes(const NodeSums& sums, std::int64_t parts) {
  std::int64_t count = 0;
  for (std::int64_t begin = 0; begin < parts; ++begin) {
    for (std::int64_t end = begin + 1; end <= parts; ++end) count += sums.find(begin, end) ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("threads: a sum that is added while its parts are made has the bits of the tree") {
  Workers two(2);
  NodeSums sums;
  std::mt19937 random(5);
  for (const std::int64_t parts : {1, 2, 3, 5, 8, 13, 63, 64}) {
    CAPTURE(parts);
    const Vector expected = expected_sum(parts);
    std::vector<std::int64_t> order(static_cast<std::size_t>(parts));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (int round = 0; round < 5; ++round) {
      sums.start(parts, true);
      for (const std::int64_t part : order) add(sums, part);
      CHECK(sum_of(sums, parts) == expected);
      CHECK(known_nodes(sums, parts) <= 2);
      std::shuffle(order.begin(), order.end(), random);
    }
    sums.start(parts, true);
    two.run(parts, [&](std::int64_t part, int) { add(sums, part); });
    CHECK(sum_of(sums, parts) == expected);
  }
}

TEST_CASE("parts that are made in their order leave few vectors, and no addition leaves them all") {
  NodeSums sums;
  for (const std::int64_t parts : {3, 13, 64}) {
    CAPTURE(parts);
    sums.start(parts, true);
    for (std::int64_t part = 0; part < parts; ++part) {
      add(sums, part);
      CHECK(known_nodes(sums, parts) + 1 <= NodeSums::max_vectors(parts, 1));
    }
    sums.start(parts, false);
    for (std::int64_t part = 0; part < parts; ++part) add(sums, part);
    CHECK(known_nodes(sums, parts) == parts);
    CHECK(sum_of(sums, parts) == expected_sum(parts));
  }
  CHECK(NodeSums::max_vectors(64, 1) == 7);
  CHECK(NodeSums::max_vectors(64, 2) == 14);
  CHECK(NodeSums::max_vectors(4, 8) == 4);
  CHECK(NodeSums::max_vectors(1, 8) == 1);
}
