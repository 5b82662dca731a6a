// The processes in which the cells of a sweep run.

#include <doctest/doctest.h>

#include <csignal>

#include "core/refusal.hpp"
#include "sweep/runs/sculpt_process.hpp"

using namespace sculpt::core;

namespace {

// Ignores SIGCHLD. A process inherits this from a parent that ignores the ends of its children.
class IgnoredChildSignal {
 public:
  IgnoredChildSignal() : before_(std::signal(SIGCHLD, SIG_IGN)) {}
  ~IgnoredChildSignal() { std::signal(SIGCHLD, before_); }
  IgnoredChildSignal(const IgnoredChildSignal&) = delete;
  IgnoredChildSignal& operator=(const IgnoredChildSignal&) = delete;

 private:
  void (*before_)(int);
};

bool never() {
  return false;
}

}  // namespace

TEST_CASE("a process whose exit code cannot be known is a failure") {
  const IgnoredChildSignal ignored;
  CellProcess process({}, "", "/bin/false");
  const Refusal refusal = refusal_of([&] { process.wait(never); });
  CHECK(refusal.exit == Exit::internal);
  CHECK(refusal.says("has ended, but its exit code is not known"));
}

TEST_CASE("the exit code of a process is known even if sculpt was started with SIGCHLD ignored") {
  const IgnoredChildSignal ignored;
  restore_child_signal();
  CellProcess process({}, "", "/bin/false");
  const auto end = process.wait(never);
  REQUIRE(end);
  CHECK(end->exit_code == 1);
}

TEST_CASE("a wait with a request to stop stops the process and returns no exit code") {
  CellProcess process({"600"}, "", "/bin/sleep");
  CHECK_FALSE(process.wait([] { return true; }));
}
