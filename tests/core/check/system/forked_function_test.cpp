// run_in_child: the lines, the printed output and the end of a child process.

#include "check/system/forked_function.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <vector>

using namespace sculpt::core;

namespace {

struct ChildResult {
  ChildExit end;
  std::vector<std::string> lines;
};

ChildResult run(const ChildBody& body, double limit = 20) {
  ChildResult result;
  result.end = run_in_child(
      body, [limit](int) { return limit; },
      [&](const std::string& line) { result.lines.push_back(line); });
  return result;
}

}  // namespace

TEST_CASE("the lines of a child arrive in order, and its printed output is kept apart") {
  const ChildResult result = run([](const ChildLink& link) {
    link.send("one");
    std::puts("printed");
    link.send("two");
  });
  CHECK(result.end.has_succeeded());
  CHECK(result.lines == std::vector<std::string>{"one", "two"});
  CHECK(result.end.printed == "printed\n");
}

TEST_CASE("a child that is ended by a signal is reported with its last activity") {
  const ChildResult result = run([](const ChildLink& link) {
    link.set_activity("juggling");
    ::signal(SIGTERM, SIG_DFL);
    ::raise(SIGTERM);
  });
  CHECK(result.end.signal == SIGTERM);
  CHECK(exit_text(result.end) == "was ended by SIGTERM (Terminated), in the middle of: juggling");
}

TEST_CASE("a child that ends itself is reported with its exit code") {
  const ChildResult result = run([](const ChildLink&) { ::_exit(7); });
  CHECK(result.end.exit_code == 7);
  CHECK(exit_text(result.end) == "ended itself with exit code 7");
}

TEST_CASE("a child that sends nothing for too long is ended, a child that keeps sending is not") {
  const ChildResult silent = run(
      [](const ChildLink& link) {
        link.send("here");
        for (;;) ::pause();
      },
      0.3);
  CHECK(silent.end.has_timed_out);
  CHECK(silent.lines == std::vector<std::string>{"here"});
  const ChildResult sending = run(
      [](const ChildLink& link) {
        for (int k = 0; k < 6; ++k) {
          ::usleep(100000);
          link.send("here");
        }
      },
      0.5);
  CHECK(sending.end.has_succeeded());
  CHECK(sending.lines.size() == 6);
}

TEST_CASE("a child that is ended at its limit is reported with the time of its last activity") {
  const auto pause_after = [](int activities) {
    return run(
               [activities](const ChildLink& link) {
                 for (int k = 0; k < activities; ++k) {
                   link.set_activity("step " + std::to_string(k));
                   ::usleep(30000);
                 }
                 for (;;) ::pause();
               },
               0.4)
        .end.activity_seconds;
  };
  CHECK(pause_after(1) >= 0.39);
  const double after_ten = pause_after(10);
  CHECK(after_ten > 0);
  CHECK(after_ten <= 0.2);
}

TEST_CASE("an exception ends a child, not its parent") {
  const ChildResult result =
      run([](const ChildLink&) { throw std::runtime_error("out of ideas"); });
  CHECK_FALSE(result.end.has_succeeded());
  CHECK(result.end.printed == "out of ideas\n");
}
