// CallOverlaps: two threads on one processor are often inside their work at the same time.

#include "check/system/call_overlaps.hpp"

#include <doctest/doctest.h>
#include <sched.h>

#include <thread>

#include "base/stopwatch.hpp"

using namespace sculpt::core;

namespace {

// From now on, all threads of this process share one processor.
void share_one_processor() {
  cpu_set_t all;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t k = 0; k < CPU_SETSIZE; ++k) {
    if (!CPU_ISSET(k, &all)) continue;
    CPU_SET(k, &one);
    break;
  }
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
}

}  // namespace

// With time slices alone, 300 overlaps would take about three seconds.
TEST_CASE(
    "threads: two threads on one processor overlap in the middle of their work hundreds of times") {
  share_one_processor();
  CallOverlaps overlaps;
  const Stopwatch watch;
  const auto work = [&](std::size_t own) {
    overlaps.enter(own);
    volatile int steps = 0;
    while (!overlaps.is_over() && overlaps.count() < 300 && watch.seconds() < 30) {
      overlaps.run_overlapping(own, [&] {
        for (int k = 0; k < 1000; ++k) steps = steps + 1;
      });
    }
    overlaps.leave(own);
  };
  std::thread second([&] { work(1); });
  work(0);
  second.join();
  CHECK(overlaps.count() >= 300);
}
