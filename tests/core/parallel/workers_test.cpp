// The pool of threads: which tasks run, on which workers, and how failures are reported.

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/failure.hpp"
#include "parallel/workers.hpp"

using sculpt::core::Workers;

namespace {

using Counters = std::vector<std::atomic<int>>;

bool all_are_one(const Counters& counters) {
  for (const auto& counter : counters) {
    if (counter != 1) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("threads: every task runs once, for any number of threads") {
  for (int threads : {1, 2, 4}) {
    Workers workers(threads);
    CHECK(workers.threads() == threads);
    Counters runs(1000);
    workers.run(1000, [&](std::int64_t task, int) { ++runs[static_cast<std::size_t>(task)]; });
    CHECK(all_are_one(runs));
    workers.run(0, [](std::int64_t, int) { FAIL("there is no task"); });
  }
}

TEST_CASE("threads: a worker runs one task at a time") {
  Workers workers(4);
  Counters inside(4);
  std::atomic<bool> overlap{false};
  workers.run(400, [&](std::int64_t, int worker) {
    if (inside[static_cast<std::size_t>(worker)]++ != 0) overlap = true;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    --inside[static_cast<std::size_t>(worker)];
  });
  CHECK_FALSE(overlap);
}

TEST_CASE("threads: ranges cover all items, and the last one is shorter") {
  Workers workers(2);
  Counters runs(10);
  std::atomic<int> ranges{0};
  workers.run_ranges(10, 4, [&](std::int64_t begin, std::int64_t end, int) {
    ++ranges;
    for (std::int64_t k = begin; k < end; ++k) ++runs[static_cast<std::size_t>(k)];
  });
  CHECK(ranges == 3);
  CHECK(all_are_one(runs));
  CHECK(Workers::range_size(1) == 1);
  CHECK(Workers::range_size(640) == 10);
  CHECK(Workers::range_size(1000000) == 16);
}

TEST_CASE("threads: if several tasks fail, the failure of the first one is thrown") {
  for (int threads : {1, 2, 4}) {
    Workers workers(threads);
    for (int repeat = 0; repeat < 50; ++repeat) {
      try {
        workers.run(100, [](std::int64_t task, int) {
          if (task % 7 == 5) throw std::runtime_error("task " + std::to_string(task));
        });
        FAIL("nothing was thrown");
      } catch (const std::runtime_error& error) {
        CHECK(std::string(error.what()) == "task 5");
      }
    }
  }
}

TEST_CASE("threads: the pool can be used again after a failure") {
  Workers workers(3);
  CHECK_THROWS_AS(workers.run(10, [](std::int64_t, int) { throw std::runtime_error("no"); }),
                  std::runtime_error);
  Counters runs(10);
  workers.run(10, [&](std::int64_t task, int) { ++runs[static_cast<std::size_t>(task)]; });
  CHECK(all_are_one(runs));
}

TEST_CASE("threads: several tasks can run nested tasks at the same time, also nested twice") {
  for (int threads : {1, 2, 4}) {
    Workers workers(threads);
    Counters runs(8 * 16 * 4);
    workers.run(8, [&](std::int64_t outer, int) {
      workers.run_nested(16, [&](std::int64_t middle) {
        workers.run_nested(4, [&](std::int64_t inner) {
          ++runs[static_cast<std::size_t>((outer * 16 + middle) * 4 + inner)];
        });
      });
    });
    CHECK(all_are_one(runs));
  }
}

TEST_CASE("threads: idle workers run nested tasks of a single task") {
  Workers workers(2);
  std::atomic<int> arrived{0};
  // Each nested task waits for the other one, so the test ends only if two threads run them.
  workers.run(1, [&](std::int64_t, int) {
    workers.run_nested(2, [&](std::int64_t) {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    });
  });
  CHECK(arrived == 2);
}

TEST_CASE("threads: a worker that waits for nested tasks does not start another task") {
  Workers workers(4);
  thread_local int inside = 0;
  std::atomic<bool> overlap{false};
  workers.run(64, [&](std::int64_t, int) {
    if (inside++ != 0) overlap = true;
    workers.run_nested(
        8, [](std::int64_t) { std::this_thread::sleep_for(std::chrono::microseconds(20)); });
    --inside;
  });
  CHECK_FALSE(overlap);
}

TEST_CASE("threads: a failed nested task fails its task, and run() within a task is refused") {
  Workers workers(2);
  CHECK_THROWS_WITH(workers.run(4,
                                [&](std::int64_t task, int) {
                                  workers.run_nested(4, [&](std::int64_t inner) {
                                    if (inner == 2) throw std::runtime_error(std::to_string(task));
                                  });
                                }),
                    "0");
  CHECK_THROWS_AS(
      workers.run(1, [&](std::int64_t, int) { workers.run(1, [](std::int64_t, int) {}); }),
      sculpt::core::Failure);
}

TEST_CASE("threads: several outside threads can use the pool at the same time") {
  Workers workers(2);
  Counters runs(3 * 100);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&, caller] {
      const auto count = [&, caller](std::int64_t task) {
        ++runs[static_cast<std::size_t>(caller * 100 + task)];
      };
      workers.run_nested(50, count);
      workers.run(50, [&](std::int64_t task, int) { count(50 + task); });
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(all_are_one(runs));
}
