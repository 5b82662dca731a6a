// Sums over ranks have the bits of the sum in one process.

#include "parallel/ranks/rank_sum.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "core/parallel/ranks/thread_transport.hpp"
#include "parallel/sum_tree.hpp"

using namespace sculpt::core;

namespace {

double rough_entry(std::int64_t part, std::size_t column) {
  return std::sin(static_cast<double>(part * 31 + 1) + 0.7 * static_cast<double>(column)) *
         std::pow(10, static_cast<double>((part + static_cast<std::int64_t>(column)) % 11));
}

Vector vector_of_part(std::int64_t part, std::size_t size) {
  Vector numbers(size);
  for (std::size_t j = 0; j < size; ++j) numbers[j] = rough_entry(part, j);
  return numbers;
}

// Number by number, in one process.
Vector sum_in_one_process(std::int64_t part_count, std::size_t size) {
  Vector sum(size);
  for (std::size_t j = 0; j < size; ++j) {
    sum[j] = tree_sum(0, part_count, [j](std::int64_t part) { return rough_entry(part, j); });
  }
  return sum;
}

struct SumSize {
  std::int64_t parts;
  std::size_t numbers;
  bool is_even = true;  // whether the ranks have about as many parts
};

// Parts of about one size, or those of the first rank much larger.
PartBorders borders_of(std::int64_t parts, int ranks, bool is_even) {
  PartBorders borders;
  for (int k = 0; k <= ranks; ++k) {
    const std::int64_t even = begin_of_part(parts, ranks, k);
    borders.push_back(is_even || k == 0 ? even : (2 * parts + even) / 3);
  }
  return borders;
}

// The sums of all ranks, one after the other for each size. Each rank has its own parts alone.
std::vector<std::vector<Vector>> sums_of_ranks(int count, int threads,
                                               const std::vector<SumSize>& sizes,
                                               const ThreadRankOptions& options = {}) {
  std::vector<std::vector<Vector>> sums(static_cast<std::size_t>(count));
  const auto ends = run_thread_ranks(
      count,
      [&](Ranks& ranks) {
        std::unique_ptr<Workers> workers;
        if (threads > 0) workers = std::make_unique<Workers>(threads);
        RankSum rank_sum(ranks, workers.get());
        for (const SumSize& size : sizes) {
          std::vector<Vector> parts(static_cast<std::size_t>(size.parts));
          const PartBorders borders = borders_of(size.parts, count, size.is_even);
          const auto own = borders.begin() + ranks.rank();
          for (auto k = own[0]; k < own[1]; ++k) {
            parts[static_cast<std::size_t>(k)] = vector_of_part(k, size.numbers);
          }
          Vector sum(size.numbers, -1);
          rank_sum.add_up(
              borders, [&](std::int64_t k) { return parts[static_cast<std::size_t>(k)].data(); },
              sum);
          sums[static_cast<std::size_t>(ranks.rank())].push_back(std::move(sum));
        }
      },
      options);
  for (const RankEnd& end : ends) CHECK(end.text == "");
  return sums;
}

void check_sums(int count, int threads, const std::vector<SumSize>& sizes,
                const ThreadRankOptions& options = {}) {
  CAPTURE(count);
  CAPTURE(threads);
  const auto sums = sums_of_ranks(count, threads, sizes, options);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    CAPTURE(sizes[k].parts);
    CAPTURE(sizes[k].numbers);
    const Vector expected = sum_in_one_process(sizes[k].parts, sizes[k].numbers);
    for (const std::vector<Vector>& of_rank : sums) {
      REQUIRE(of_rank.size() == sizes.size());
      CHECK(of_rank[k] == expected);
    }
  }
}

}  // namespace

TEST_CASE("threads: sums over ranks have the bits of one process, for any number of parts") {
  std::vector<SumSize> sizes;
  for (std::int64_t parts = 1; parts <= 64; ++parts) sizes.push_back({parts, 9});
  for (const int count : {1, 2, 3, 5, 7}) check_sums(count, 0, sizes);
  for (SumSize& size : sizes) size.is_even = false;
  for (const int count : {2, 3, 5}) check_sums(count, 0, sizes);
}

TEST_CASE("threads: sums over ranks have the bits of one process, for any length") {
  std::vector<SumSize> sizes;
  for (const std::size_t numbers :
       std::vector<std::size_t>{0, 1, 2, 3, 6, 255, 256, 257, 5000, 20000}) {
    sizes.push_back({13, numbers});
    sizes.push_back({3, numbers});
  }
  for (const int count : {1, 2, 3, 5, 7}) check_sums(count, 0, sizes);
  for (const int count : {1, 2, 3}) check_sums(count, 2, sizes);
}

TEST_CASE("threads: sums over ranks in many small messages have the same bits") {
  ThreadRankOptions options;
  options.most_bytes = 100;
  const std::vector<SumSize> sizes = {{13, 50}, {5, 7}, {1, 1}, {64, 33}};
  for (const int count : {2, 3, 5}) check_sums(count, 0, sizes, options);
  options.most_bytes = 1;  // less than one byte for each rank
  check_sums(3, 0, {{4, 5}}, options);
}
