// The time of a run, split into phases.

#include "base/time_split.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace sculpt::core;

namespace {

constexpr double step = 0.02;  // seconds

void sleep() {
  std::this_thread::sleep_for(std::chrono::duration<double>(step));
}

double sum(const TimeSplit& split) {
  return split.oracle + split.sweeps + split.qp + split.reduction + split.writing + split.rest;
}

}  // namespace

TEST_CASE("the seconds of a phase within another one count only for the inner phase") {
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
    CHECK(clock.split().qp >= 2 * step);  // includes the phase that has not ended
  }
  const TimeSplit split = clock.split();
  CHECK(split.writing >= 3 * step);
  CHECK(split.qp >= 2 * step);
  CHECK(sum(split) <= watch.seconds());
  CHECK(sum(clock.split()) > sum(split));  // `rest` grows
  CHECK(clock.split().qp == split.qp);
}

TEST_CASE("seconds can be moved to another phase, and seconds of an earlier run can be added") {
  SplitClock clock;
  clock.add_earlier(&TimeSplit::oracle, 5);
  clock.move(&TimeSplit::oracle, &TimeSplit::reduction, 2);
  CHECK(clock.split().oracle == 3);
  CHECK(clock.split().reduction == 2);
}

TEST_CASE("a phase without a clock does nothing") {
  const InPhase phase(nullptr, &TimeSplit::qp);
}
