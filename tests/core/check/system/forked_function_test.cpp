#include "check/system/forked_function.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <vector>

using namespace sculpt::core;

namespace {

struct Ran {
  ChildExit end;
  std::vector<std::string> lines;
};

Ran run(const ChildBody& body, double limit = 20) {
  Ran ran;
  ran.end = run_in_child(
      body, [limit](int) { return limit; },
      [&](const std::string& line) { ran.lines.push_back(line); });
  return ran;
}

}  // namespace

TEST_CASE("the lines of a child come in order, and what it prints is kept apart") {
  const Ran ran = run([](const ChildLink& link) {
    link.send("one");
    std::puts("printed");
    link.send("two");
  });
  CHECK(ran.end.sound());
  CHECK(ran.lines == std::vector<std::string>{"one", "two"});
  CHECK(ran.end.printed == "printed\n");
}

TEST_CASE("a child that is ended by a signal leaves its last note") {
  const Ran ran = run([](const ChildLink& link) {
    link.note("juggling");
    ::signal(SIGTERM, SIG_DFL);
    ::raise(SIGTERM);
  });
  CHECK(ran.end.signal == SIGTERM);
  CHECK(exit_text(ran.end) == "was ended by SIGTERM (Terminated), in the middle of: juggling");
}

TEST_CASE("a child that ends itself is told by its exit code") {
  const Ran ran = run([](const ChildLink&) { ::_exit(7); });
  CHECK(ran.end.exit_code == 7);
  CHECK(exit_text(ran.end) == "ended itself with exit code 7");
}

TEST_CASE("a child that says nothing for too long is ended, one that goes on talking is not") {
  const Ran late = run(
      [](const ChildLink& link) {
        link.send("here");
        for (;;) ::pause();
      },
      0.3);
  CHECK(late.end.late);
  CHECK(late.lines == std::vector<std::string>{"here"});
  const Ran talks = run(
      [](const ChildLink& link) {
        for (int k = 0; k < 6; ++k) {
          ::usleep(100000);
          link.send("here");
        }
      },
      0.5);
  CHECK(talks.end.sound());
  CHECK(talks.lines.size() == 6);
}

TEST_CASE("an exception ends a child, not its parent") {
  const Ran ran = run([](const ChildLink&) { throw std::runtime_error("out of ideas"); });
  CHECK_FALSE(ran.end.sound());
  CHECK(ran.end.printed == "out of ideas\n");
}
