// The time of a run, divided into phases.

#include "base/phase_times.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace sculpt::core;

namespace {

constexpr double step = 0.02;  // seconds

void sleep() {
  std::this_thread::sleep_for(std::chrono::duration<double>(step));
}

double sum(const PhaseTimes& times) {
  return times.oracle + times.sweeps + times.qp + times.reduction + times.writing + times.rest;
}

}  // namespace

TEST_CASE("the seconds of a phase within another one count only for the inner phase") {
  const Stopwatch watch;
  PhaseClock clock;
  {
    const ScopedPhase outer(clock, &PhaseTimes::qp);
    sleep();
    {
      const ScopedPhase inner(clock, &PhaseTimes::writing);
      sleep();
      sleep();
      sleep();
    }
    sleep();
    CHECK(clock.times().qp >= 2 * step);  // includes the phase that has not ended
  }
  const PhaseTimes times = clock.times();
  CHECK(times.writing >= 3 * step);
  CHECK(times.qp >= 2 * step);
  CHECK(sum(times) <= watch.seconds());
  CHECK(sum(clock.times()) > sum(times));  // `rest` grows
  CHECK(clock.times().qp == times.qp);
}

TEST_CASE("seconds can be moved to another phase, and seconds of an earlier run can be added") {
  PhaseClock clock;
  clock.add_earlier(&PhaseTimes::oracle, 5);
  clock.move(&PhaseTimes::oracle, &PhaseTimes::reduction, 2);
  CHECK(clock.times().oracle == 3);
  CHECK(clock.times().reduction == 2);
}

TEST_CASE("a phase without a clock does nothing") {
  const ScopedPhase phase(nullptr, &PhaseTimes::qp);
}
