// run_in_child: the lines, the printed output and the end of a child process.

#include "check/system/forked_function.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "base/open_calls.hpp"

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

TEST_CASE("a child that is ended at its limit is reported with its longest open call") {
  const auto call_briefly = [](const CurrentCall& call) {
    const CallScope scope(call);
    ::usleep(1000);
  };
  const ChildExit in_one_call = run(
                                    [&](const ChildLink&) {
                                      const CallScope scope({"tagger", "argmax", 3});
                                      for (;;) call_briefly({"tagger", "log", -1});
                                    },
                                    0.4)
                                    .end;
  CHECK(in_one_call.open_component == "tagger");
  CHECK(in_one_call.open_seconds >= 0.2);
  const ChildExit in_many_calls = run(
                                      [&](const ChildLink& link) {
                                        link.set_activity("one activity");
                                        for (;;) call_briefly({"tagger", "argmax", 3});
                                      },
                                      0.4)
                                      .end;
  CHECK(in_many_calls.open_seconds < 0.2);
  const ChildExit in_host = run(
                                [&](const ChildLink&) {
                                  call_briefly({"tagger", "argmax", 3});
                                  for (;;) ::pause();
                                },
                                0.2)
                                .end;
  CHECK(in_host.open_component.empty());
  CHECK(in_host.open_seconds == 0);
}

TEST_CASE("an exception ends a child, not its parent") {
  const ChildResult result =
      run([](const ChildLink&) { throw std::runtime_error("out of ideas"); });
  CHECK_FALSE(result.end.has_succeeded());
  CHECK(result.end.printed == "out of ideas\n");
}
