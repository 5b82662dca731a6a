// The tree of sums against the definition, written down once more.

#include "parallel/sum_tree.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace sculpt::core;

namespace {

// Parts whose sum depends on the order in which they are added.
double rough_number(std::int64_t part, std::size_t column) {
  const auto k = static_cast<double>(part + 1);
  return std::sin(12.9898 * k + 78.233 * static_cast<double>(column)) *
         std::pow(10, static_cast<double>((part * 7 + static_cast<std::int64_t>(column)) % 13));
}

// "((01)2)": pairs of neighbours, pairs of pairs; what has no neighbour joins the next larger node.
std::string shape(std::int64_t begin, std::int64_t end) {
  if (end - begin == 1) return "<" + std::to_string(begin) + ">";
  std::int64_t left = 1;
  while (2 * left < end - begin) left *= 2;
  return "(" + shape(begin, begin + left) + shape(begin + left, end) + ")";
}

double sum_of(std::int64_t begin, std::int64_t end, std::size_t column) {
  if (end - begin == 1) return rough_number(begin, column);
  std::int64_t left = 1;
  while (2 * left < end - begin) left *= 2;
  return sum_of(begin, begin + left, column) + sum_of(begin + left, end, column);
}

std::vector<std::int64_t> counts_of_parts() {
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 1; count <= 70; ++count) counts.push_back(count);
  counts.push_back(100);
  return counts;
}

}  // namespace

TEST_CASE("the tree of sums adds pairs, and pairs of pairs") {
  CHECK(shape(0, 2) == "(<0><1>)");
  CHECK(shape(0, 3) == "((<0><1>)<2>)");
  CHECK(shape(0, 6) == "(((<0><1>)(<2><3>))(<4><5>))");
  bool order_matters = false;
  for (const std::int64_t count : counts_of_parts()) {
    CAPTURE(count);
    const auto part = [](std::int64_t k) { return rough_number(k, 0); };
    CHECK(tree_sum(0, count, part) == sum_of(0, count, 0));
    double in_order = 0;
    for (std::int64_t k = 0; k < count; ++k) in_order += part(k);
    order_matters |= in_order != sum_of(0, count, 0);
  }
  CHECK(order_matters);
}

TEST_CASE("the nodes within a range are the largest ones, in order, without a gap") {
  for (const std::int64_t count : counts_of_parts()) {
    const std::string tree = shape(0, count);
    for (std::int64_t from = 0; from <= count; ++from) {
      for (std::int64_t to = from; to <= count; ++to) {
        CAPTURE(count);
        CAPTURE(from);
        CAPTURE(to);
        std::int64_t next = from;
        bool is_right = true;
        std::vector<std::pair<std::int64_t, std::int64_t>> nodes;
        for_each_node_within(from, to, 0, count, [&](std::int64_t begin, std::int64_t end) {
          is_right &= begin == next && end > begin && end <= to;
          is_right &= tree.find(shape(begin, end)) != std::string::npos;
          nodes.emplace_back(begin, end);
          next = end;
        });
        is_right &= next == to;
        // No two neighbours make a larger node.
        for (std::size_t k = 1; k < nodes.size(); ++k) {
          is_right &= tree.find("(" + shape(nodes[k - 1].first, nodes[k - 1].second) +
                                shape(nodes[k].first, nodes[k].second) + ")") == std::string::npos;
        }
        REQUIRE(is_right);
      }
    }
  }
}

TEST_CASE("sums of vectors along the tree are those of their numbers, also of known nodes") {
  for (const std::int64_t count : counts_of_parts()) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{17}, VectorTreeSum::block}) {
      CAPTURE(count);
      CAPTURE(size);
      std::vector<std::vector<double>> parts(static_cast<std::size_t>(count));
      std::vector<double> expected;
      for (std::size_t j = 0; j < size; ++j) {
        for (std::int64_t k = 0; k < count; ++k) {
          parts[static_cast<std::size_t>(k)].push_back(rough_number(k, j));
        }
        expected.push_back(sum_of(0, count, j));
      }
      const auto part_at = [&](std::int64_t begin, std::int64_t end) -> const double* {
        return end - begin == 1 ? parts[static_cast<std::size_t>(begin)].data() : nullptr;
      };
      VectorTreeSum tree;
      std::vector<double> sum(size, -1);
      tree.sum(0, count, size, part_at, sum.data());
      CHECK(sum == expected);
      // The sum may take the place of the first part.
      const std::int64_t middle = count == 1 ? 1 : middle_of_node(0, count);
      tree.sum(0, middle, size, part_at, parts.front().data());
      const auto node_at = [&](std::int64_t begin, std::int64_t end) -> const double* {
        if (begin == 0 && end == middle) return parts.front().data();
        return begin < middle ? nullptr : part_at(begin, end);
      };
      tree.sum(0, count, size, node_at, sum.data());
      CHECK(sum == expected);
    }
  }
}
