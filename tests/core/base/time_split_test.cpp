#include "base/time_split.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace sculpt::core;

namespace {

constexpr double nap = 0.02;

void sleep() {
  std::this_thread::sleep_for(std::chrono::duration<double>(nap));
}

double sum(const TimeSplit& split) {
  return split.oracle + split.sweeps + split.qp + split.reduction + split.writing + split.rest;
}

}  // namespace

TEST_CASE("a phase within a phase is counted once, and the outer one goes on behind it") {
  const Stopwatch watch;
  SplitClock clock;
  {
    const InPhase outer(clock, &TimeSplit::qp);
    sleep();
    {
      const InPhase inner(clock, &TimeSplit::writing);
      sleep();
      sleep();
      sleep();
    }
    sleep();
    CHECK(clock.split().qp >= 2 * nap);  // of the phase under way, too
  }
  const TimeSplit split = clock.split();
  CHECK(split.writing >= 3 * nap);
  CHECK(split.qp >= 2 * nap);
  CHECK(sum(split) <= watch.seconds());
  CHECK(sum(clock.split()) > sum(split));  // goes on in `rest`
  CHECK(clock.split().qp == split.qp);
}

TEST_CASE("seconds that belong to another phase are moved, those of an earlier run added") {
  SplitClock clock;
  clock.add_earlier(&TimeSplit::oracle, 5);
  clock.move(&TimeSplit::oracle, &TimeSplit::reduction, 2);
  CHECK(clock.split().oracle == 3);
  CHECK(clock.split().reduction == 2);
}

TEST_CASE("without a clock a phase is nothing") {
  const InPhase phase(nullptr, &TimeSplit::qp);
}
