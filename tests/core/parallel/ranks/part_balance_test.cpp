// Parts of ranks that follow the measured time.

#include "parallel/ranks/part_balance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "base/file/memory_state_reader.hpp"

using namespace sculpt::core;

namespace {

// Ranks whose items take the time that a test says. There are no clocks and no messages.
struct TimedRanks {
  std::vector<double> seconds_of_item;  // by its number
  std::vector<double> slowness;         // [ranks]
  std::vector<PartBalance> balances;    // [ranks]

  TimedRanks(std::vector<double> seconds, std::vector<double> slowness_of_ranks)
      : seconds_of_item(std::move(seconds)), slowness(std::move(slowness_of_ranks)) {
    const auto count = static_cast<int>(slowness.size());
    for (int rank = 0; rank < count; ++rank) balances.emplace_back(count, rank);
  }

  // One step about these items. All ranks must divide alike. Returns the sizes of the parts.
  std::vector<std::int64_t> step(const std::vector<std::int64_t>& numbers) {
    std::vector<StepParts> parts;
    for (PartBalance& balance : balances) {
      parts.push_back(balance.divide("a step", std::ssize(numbers), [&](std::int64_t k) {
        return numbers[static_cast<std::size_t>(k)];
      }));
      CHECK(parts.back().borders == parts.front().borders);
    }
    std::vector<std::string> messages;
    times.assign(slowness.size(), 0);
    for (std::size_t rank = 0; rank < slowness.size(); ++rank) {
      StepParts& own = parts[rank];
      for (std::int64_t k = own.own_begin(); k < own.own_end(); ++k) {
        const auto number = static_cast<std::size_t>(numbers[static_cast<std::size_t>(k)]);
        own.set_seconds(k, k + 1, slowness[rank] * seconds_of_item[number]);
        times[rank] += slowness[rank] * seconds_of_item[number];
      }
      StateBuffer message;
      own.save_seconds(message);
      messages.emplace_back(message.bytes());
    }
    std::vector<std::int64_t> sizes;
    for (int rank = 0; rank < static_cast<int>(slowness.size()); ++rank) {
      for (std::size_t reader = 0; reader < slowness.size(); ++reader) {
        ViewStateReader in(messages[static_cast<std::size_t>(rank)]);
        parts[reader].load_seconds(rank, in);
      }
      sizes.push_back(parts.front().end_of(rank) - parts.front().begin_of(rank));
    }
    for (std::size_t rank = 0; rank < slowness.size(); ++rank) balances[rank].learn(parts[rank]);
    return sizes;
  }

  // The share of their time that the ranks wait for the slowest one, in the last step.
  double waiting() const {
    const double most = *std::max_element(times.begin(), times.end());
    const double all = std::accumulate(times.begin(), times.end(), 0.0);
    return 1 - all / (most * static_cast<double>(times.size()));
  }

  std::vector<double> times;  // [ranks] of the last step
};

std::vector<std::int64_t> numbers_to(std::int64_t count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// As those of alignments: the product of two lengths.
std::vector<double> uneven_seconds(std::size_t count) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> length(0.2, 2);
  std::vector<double> seconds;
  for (std::size_t k = 0; k < count; ++k) seconds.push_back(length(generator) * length(generator));
  return seconds;
}

}  // namespace

TEST_CASE("the first step, and steps of equal items, have parts of equal size") {
  TimedRanks ranks(std::vector<double>(100, 2e-3), {1, 1, 1});
  for (int pass = 0; pass < 5; ++pass) {
    CHECK(ranks.step(numbers_to(100)) == std::vector<std::int64_t>{33, 33, 34});
  }
}

TEST_CASE("a rank whose examples take longer gets fewer of them after one step") {
  std::vector<double> seconds(90, 1);
  std::fill(seconds.begin() + 45, seconds.end(), 2);
  TimedRanks ranks(seconds, {1, 1});
  ranks.step(numbers_to(90));
  CHECK(ranks.waiting() == doctest::Approx(0.25));
  ranks.step(numbers_to(90));
  CHECK(ranks.waiting() < 0.05);
  for (int pass = 0; pass < 4; ++pass) ranks.step(numbers_to(90));
  CHECK(ranks.waiting() < 0.02);
}

TEST_CASE("a slow rank gets less work, and its share comes back with its speed") {
  TimedRanks ranks(std::vector<double>(200, 1e-3), {1, 3});
  for (int pass = 0; pass < 12; ++pass) ranks.step(numbers_to(200));
  CHECK(ranks.waiting() < 0.03);
  CHECK(ranks.step(numbers_to(200))[1] == doctest::Approx(50).epsilon(0.06));
  ranks.slowness = {1, 1};
  for (int pass = 0; pass < 12; ++pass) ranks.step(numbers_to(200));
  CHECK(ranks.waiting() < 0.03);
}

TEST_CASE("small steps in a random order are divided by what each example took before") {
  const std::int64_t count = 800;
  TimedRanks ranks(uneven_seconds(800), {1, 1.5});
  std::vector<std::int64_t> order = numbers_to(count);
  std::mt19937 generator(7);
  double waiting = 0;
  for (int pass = 0; pass < 6; ++pass) {
    waiting = 0;
    std::shuffle(order.begin(), order.end(), generator);
    for (std::int64_t begin = 0; begin + 64 <= count; begin += 64) {
      ranks.step({order.begin() + begin, order.begin() + begin + 64});
      waiting += ranks.waiting() / 12;
    }
  }
  CHECK(waiting < 0.03);
}

TEST_CASE("a rank that was disturbed for one step is not left without work") {
  TimedRanks ranks(std::vector<double>(64, 1e-3), {1, 1, 1, 1});
  for (int pass = 0; pass < 3; ++pass) ranks.step(numbers_to(64));
  ranks.slowness[2] = 1000;
  ranks.step(numbers_to(64));
  ranks.slowness[2] = 1;
  for (const std::int64_t size : ranks.step(numbers_to(64))) CHECK(size >= 4);
  for (int pass = 0; pass < 12; ++pass) ranks.step(numbers_to(64));
  CHECK(ranks.waiting() < 0.1);
}

TEST_CASE("each rank has an item if there are enough, also one that is hopelessly slow") {
  TimedRanks ranks(std::vector<double>(7, 1), {1, 50, 1});
  for (int pass = 0; pass < 30; ++pass) {
    for (const std::int64_t size : ranks.step(numbers_to(7))) CHECK(size >= 1);
  }
  CHECK(ranks.step(numbers_to(7))[1] == 1);
  const std::vector<std::int64_t> sizes = ranks.step(numbers_to(2));
  CHECK(sizes[0] + sizes[1] + sizes[2] == 2);
}

TEST_CASE("times of several threads at once count as far as they add to the time of the part") {
  PartBalance balance(1, 0);
  StepParts parts = balance.divide("threads", 4, std::identity());
  for (int k = 0; k < 4; ++k) parts.set_seconds(k, k + 1, 1);
  parts.end_own(2);  // two threads
  CHECK(parts.seconds_of(0, 4) == doctest::Approx(2));
  parts.end_own(5);  // the rest is not time of items
  CHECK(parts.seconds_of(0, 4) == doctest::Approx(2));
}

TEST_CASE("a range of items that was timed as one is divided by their costs") {
  TimedRanks ranks({1, 3}, {1});
  for (int pass = 0; pass < 3; ++pass) ranks.step({0, 1});
  StepParts parts = ranks.balances.front().divide("a step", 2, std::identity());
  parts.set_seconds(0, 2, 8);
  CHECK(parts.seconds[0] == doctest::Approx(2));
  CHECK(parts.seconds[1] == doctest::Approx(6));
}
