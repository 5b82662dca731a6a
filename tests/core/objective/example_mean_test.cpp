// ExampleMean against the exact mean, and its number of chunks.

#include "objective/example_mean.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/parallel/ranks/thread_transport.hpp"

using namespace sculpt::core;

namespace {

// The mean of rough numbers, whose bits depend on the order of the sum. `told`: [n] what the ranks
// tell each other of each example.
JointSeparation rough_mean(std::int64_t n, std::int64_t dimension, int threads, Ranks* ranks,
                           std::vector<double>& told) {
  std::unique_ptr<Workers> workers;
  if (threads > 0) workers = std::make_unique<Workers>(threads);
  ExampleMean sum(workers.get(), ranks);
  told.assign(static_cast<std::size_t>(n), -1);
  ExampleMean::Shared shared;
  shared.save = [&told](std::int64_t begin, std::int64_t end, StateWriter& out) {
    for (std::int64_t i = begin; i < end; ++i) out.put(told[static_cast<std::size_t>(i)]);
  };
  shared.load = [&told](std::int64_t begin, std::int64_t end, StateReader& in) {
    for (std::int64_t i = begin; i < end; ++i) told[static_cast<std::size_t>(i)] = in.get<double>();
  };
  sum.add_up(
      n, dimension,
      [&](std::int64_t begin, std::int64_t end, int, ExampleMean::Chunk& own) {
        for (std::int64_t i = begin; i < end; ++i) {
          const double value = std::sin(static_cast<double>(i)) * std::pow(10, i % 12);
          for (std::size_t j = 0; j < own.a.size(); ++j) {
            own.a[j] += value / static_cast<double>(j + 3);
          }
          own.b += value / 7;
          own.max_squared_norm = std::max(own.max_squared_norm, value * value);
          own.counts.escalated_count += 1;
          told[static_cast<std::size_t>(i)] = value;
        }
      },
      {}, shared);
  JointSeparation mean;
  sum.mean(mean);
  return mean;
}

}  // namespace

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

TEST_CASE("threads: the mean over the examples of several ranks has the bits of one process") {
  for (const std::int64_t n : {1, 2, 5, 63, 200}) {
    for (const std::int64_t dimension : {1, 3, 1000}) {
      CAPTURE(n);
      CAPTURE(dimension);
      std::vector<double> all;
      const JointSeparation expected = rough_mean(n, dimension, 0, nullptr, all);
      for (const int count : {1, 2, 3, 5, 7}) {
        CAPTURE(count);
        std::vector<JointSeparation> means(static_cast<std::size_t>(count));
        std::vector<std::vector<double>> told(static_cast<std::size_t>(count));
        const auto ends = run_thread_ranks(count, [&](Ranks& ranks) {
          const auto rank = static_cast<std::size_t>(ranks.rank());
          means[rank] = rough_mean(n, dimension, count == 2 ? 2 : 0, &ranks, told[rank]);
        });
        CHECK(all_returned(ends));
        for (std::size_t rank = 0; rank < means.size(); ++rank) {
          CHECK(means[rank].a == expected.a);
          CHECK(means[rank].b == expected.b);
          CHECK(means[rank].max_squared_norm == expected.max_squared_norm);
          CHECK(means[rank].counts.escalated_count == n);
          CHECK(told[rank] == all);
        }
      }
    }
  }
}
