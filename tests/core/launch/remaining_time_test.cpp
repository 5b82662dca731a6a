// The estimate of the time that is left, from gaps that fall as known functions of time.

#include "launch/remaining_time.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace sculpt::core;

namespace {

// The gaps at `passes` times, the last after `seconds`.
RemainingTime after(double seconds, int passes, double target,
                    const std::function<double(double)>& gap) {
  RemainingTime remaining(target);
  for (int pass = 1; pass <= passes; ++pass) {
    const double time = seconds * pass / passes;
    remaining.add(time, gap(time));
  }
  return remaining;
}

// True if the range holds this time, and its ends differ by a factor that is of use.
bool is_near(const std::optional<TimeRange>& range, double seconds) {
  return range && range->low <= seconds && seconds <= range->high && range->high <= 8 * range->low;
}

}  // namespace

TEST_CASE("a gap that falls exponentially: the range holds the time that is left") {
  for (const double half_life : {2.0, 5.0, 12.0}) {
    const auto gap = [&](double time) { return std::exp2(-time / half_life); };
    const double end = half_life * std::log2(1e3);
    for (const double part : {0.5, 0.7, 0.9}) {
      CAPTURE(half_life);
      CAPTURE(part);
      CHECK(is_near(after(part * end, 40, 1e-3, gap).range(), end - part * end));
    }
  }
}

TEST_CASE("a gap that falls as a power of time: the range holds the time that is left") {
  for (const double power : {1.0, 2.0}) {
    const auto gap = [&](double time) { return std::pow(time, -power); };
    const double end = std::pow(1e3, 1 / power);
    for (const double part : {0.5, 0.7, 0.9}) {
      CAPTURE(power);
      CAPTURE(part);
      CHECK(is_near(after(part * end, 100, 1e-3, gap).range(), end - part * end));
    }
  }
}

TEST_CASE("an early guess that the power of time contradicts is not shown") {
  const auto gap = [](double time) { return 1 / time; };
  CHECK_FALSE(after(10, 100, 1e-6, gap).range());  // a million seconds are left
}

TEST_CASE("noise of the gap widens the range or hides it") {
  const auto gap = [](double time) {
    return std::exp2(-time / 5) * (1 + 0.5 * std::sin(7 * time));
  };
  const double end = 5 * std::log2(1e3);
  const auto range = after(0.7 * end, 60, 1e-3, gap).range();
  CHECK((!range || is_near(range, 0.3 * end)));
}

TEST_CASE("a gap that stands still, or falls again after that, has no estimate") {
  const auto stalled = [](double time) { return std::exp2(-std::min(time, 20.0)); };
  CHECK_FALSE(after(40, 80, 1e-9, stalled).range());
  const auto resumed = [](double time) { return std::exp2(time < 30 ? -5.0 : 25 - time); };
  CHECK_FALSE(after(40, 80, 1e-9, resumed).range());
}

TEST_CASE("a gap that jumps has no estimate from the jump") {
  const auto jump = [](double time) { return (time < 39.9 ? 1 : 1e-2) * std::exp2(-time / 20); };
  CHECK_FALSE(after(40, 80, 1e-4, jump).range());
  // Long after the jump the decay is known again: 1e-4 is reached when 2^(-t/20) is 1e-2.
  const double end = 20 * std::log2(1e2);
  CHECK(is_near(after(100, 200, 1e-4, jump).range(), end - 100));
}

TEST_CASE("few gaps, a short run, a reached or missing target, and no gap have no estimate") {
  const auto gap = [](double time) { return std::exp2(-time / 5); };
  CHECK_FALSE(RemainingTime(1e-3).range());
  CHECK_FALSE(after(30, 3, 1e-3, gap).range());
  CHECK_FALSE(after(0.5, 40, 1e-3, gap).range());
  CHECK_FALSE(after(30, 40, 0.5, gap).range());
  CHECK_FALSE(after(30, 40, 0, gap).range());
  const auto none = [](double) { return std::numeric_limits<double>::infinity(); };
  CHECK_FALSE(after(30, 40, 1e-3, none).range());
  // Gaps known for less than half of the time say little.
  const auto late = [&](double time) { return time < 20 ? none(time) : gap(time); };
  CHECK_FALSE(after(30, 40, 1e-3, late).range());
}

TEST_CASE("very many passes give the same estimate") {
  const auto gap = [](double time) { return std::exp2(-time / 5); };
  const auto few = after(30, 60, 1e-3, gap).range();
  const auto many = after(30, 20000, 1e-3, gap).range();
  REQUIRE((few && many));
  CHECK(many->low == doctest::Approx(few->low).epsilon(0.01));
  CHECK(many->high == doctest::Approx(few->high).epsilon(0.01));
}

TEST_CASE("durations are rounded: one unit, no false precision") {
  CHECK(duration_text({1, 4}) == "a few seconds");
  CHECK(duration_text({13.7, 41.2}) == "about 15-40 s");
  CHECK(duration_text({20.4, 21}) == "about 20 s");
  CHECK(duration_text({95, 250}) == "about 2-4 min");
  CHECK(duration_text({3000, 9000}) == "about 50-150 min");
  CHECK(duration_text({7300, 20000}) == "about 2-6 h");
  CHECK(duration_text({2e5, 4e5}) == "about 2-5 days");
}
