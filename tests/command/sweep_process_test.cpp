// The processes that the cells of a sweep run in.

#include <doctest/doctest.h>

#include <csignal>

#include "core/refusal.hpp"
#include "sweep/runs/sculpt_process.hpp"

using namespace sculpt::core;

namespace {

// As a parent leaves it to us that does not want to know how its own children end.
class IgnoredEnds {
 public:
  IgnoredEnds() : before_(std::signal(SIGCHLD, SIG_IGN)) {}
  ~IgnoredEnds() { std::signal(SIGCHLD, before_); }
  IgnoredEnds(const IgnoredEnds&) = delete;
  IgnoredEnds& operator=(const IgnoredEnds&) = delete;

 private:
  void (*before_)(int);
};

bool never() {
  return false;
}

}  // namespace

TEST_CASE("a process whose end nobody can know is a failure, not one that runs") {
  const IgnoredEnds ignored;
  CellProcess process({}, "/dev/null", "/bin/false");
  const Refusal refusal = refusal_of([&] { process.wait(never); });
  CHECK(refusal.exit == Exit::internal);
  CHECK(refusal.says("has ended, and how is not known"));
}

TEST_CASE("how a process ended is known where we were started with SIGCHLD ignored") {
  const IgnoredEnds ignored;
  restore_child_signal();
  CellProcess process({}, "/dev/null", "/bin/false");
  const auto end = process.wait(never);
  REQUIRE(end);
  CHECK(end->exit == 1);
}

TEST_CASE("a process that is waited for is asked to stop, and then has no end of its own") {
  CellProcess process({"600"}, "/dev/null", "/bin/sleep");
  CHECK_FALSE(process.wait([] { return true; }));
}
