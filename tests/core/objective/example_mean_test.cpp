// ExampleMean against the exact mean, and its number of chunks.

#include "objective/example_mean.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sculpt::core;

TEST_CASE("threads: every example enters the mean once, the same for any number of threads") {
  constexpr std::int64_t dimension = 3;
  for (const std::int64_t n : {1, 5, 64, 1000}) {
    CAPTURE(n);
    std::vector<JointSeparation> means;
    for (const int threads : {0, 1, 3}) {
      Workers workers(std::max(threads, 1));
      ExampleMean sum(threads == 0 ? nullptr : &workers);
      sum.add_up(n, dimension,
                 [](std::int64_t begin, std::int64_t end, int, ExampleMean::Chunk& own) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const auto value = static_cast<double>(i);
                     for (double& entry : own.a) entry += value;
                     own.b += 2 * value;
                     own.max_squared_norm = std::max(own.max_squared_norm, value * value);
                     own.counts.escalated_count += 1;
                   }
                 });
      means.emplace_back();
      sum.mean(means.back());
    }
    const auto last = static_cast<double>(n - 1);
    for (const JointSeparation& mean : means) {
      CHECK(mean.a == Vector(dimension, 0.5 * last));
      CHECK(mean.b == last);
      CHECK(mean.max_squared_norm == last * last);
      CHECK(mean.counts.escalated_count == n);
    }
  }
}

TEST_CASE(
    "there are at most 64 chunks within 256 MB, but at least four for four examples or more") {
  constexpr std::int64_t many = 1'000'000;
  constexpr std::int64_t megabyte = 1 << 20;
  CHECK(ExampleMean::chunk_count(many, 1) == 64);
  CHECK(ExampleMean::chunk_count(many, 256 * megabyte / 64 / 8) == 64);
  for (const std::int64_t chunks : {4, 8, 32, 63}) {
    const std::int64_t dimension = 256 * megabyte / chunks / 8;
    CHECK(ExampleMean::chunk_count(many, dimension) == chunks);
  }
  CHECK(ExampleMean::chunk_count(many, 1 << 30) == 4);
  CHECK(ExampleMean::chunk_count(3, 1) == 3);
}
