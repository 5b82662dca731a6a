// If a plugin crashes or ends the process, the message names the plugin, its function and the
// example.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

Outcome train_crashing(const Scratch& scratch, const std::string& keys,
                       const std::string& threads = "2") {
  write_small_experiment(scratch);
  return scratch.sculpt(
      with_test_plugins({"train", "small.json", "--output", "run", "--threads", threads, "--set",
                         "loss={\"use\":\"crash\"," + keys + "}"}));
}

void check_crash_report(const Outcome& outcome, const std::string& text) {
  INFO(outcome.err);
  CHECK(outcome.exit == 69);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("\nsculpt: crash: " + text) != std::string::npos);
}

}  // namespace

TEST_CASE("a crash is reported with the plugin, its function and the signal, and exits with 69") {
  const Scratch scratch;
  check_crash_report(train_crashing(scratch, "\"at\":\"bind\""), "crashed in bind (SIGSEGV)");
  check_crash_report(train_crashing(scratch, "\"at\":\"bind\",\"how\":\"abort\""),
                     "crashed in bind (SIGABRT)");
  CHECK_FALSE(fs::exists(scratch / "run"));
}

TEST_CASE("a library that crashes while it is loaded is reported by its name") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt(
      with_test_plugins({"train", "small.json", "--output", "run", "--set", "loss=crash"}),
      {{"SCULPT_TEST_CRASH_IN_LOADING", "1"}});
  INFO(outcome.err);
  CHECK(outcome.exit == 69);
  CHECK(outcome.err.find("\nsculpt: test_crash.so: crashed in its loading (SIGABRT)") !=
        std::string::npos);
}

TEST_CASE("a plugin that ends the process makes the run fail") {
  const Scratch scratch;
  check_crash_report(train_crashing(scratch, R"("at":"bind","how":"exit")"),
                     "ended the process in bind");
  for (const char* threads : {"1", "2"}) {
    fs::remove_all(scratch / "run");
    check_crash_report(train_crashing(scratch, R"("at":"add","how":"exit","example":1)", threads),
                       "example 1: ended the process in factor-loss.add");
    const Json event = scratch.finished("run");
    CHECK(event["event"] == "failed");
    CHECK(event["exit"] == 69);
    CHECK(event["message"] == "crash: example 1: ended the process in factor-loss.add");
  }
}

TEST_CASE("a crash in training is the last event, and the next run replaces the failed one") {
  const Scratch scratch;
  for (int time = 0; time < 2; ++time) {
    check_crash_report(train_crashing(scratch, "\"at\":\"add\",\"example\":1"),
                       "example 1: crashed in factor-loss.add (SIGSEGV)");
    const Json event = scratch.finished("run");
    CHECK(event["event"] == "failed");
    CHECK(event["message"] == "crash: example 1: crashed in factor-loss.add (SIGSEGV)");
  }
}

TEST_CASE("a crash on a thread that a plugin started is reported with the call that waits for it") {
  const std::string running_call = "; running calls: crash: example 1: factor-loss.add";
  const Scratch scratch;
  const std::string at = R"("at":"add","example":1,"how":)";
  const Outcome crashed = train_crashing(scratch, at + R"("thread")", "1");
  INFO(crashed.err);
  CHECK(crashed.exit == 128 + 6);
  const std::string outside_calls =
      "crashed (SIGABRT) outside of all calls, on a thread that has called no ";
  CHECK(crashed.err.find("\nsculpt: " + outside_calls) != std::string::npos);
  CHECK(crashed.err.find(running_call) != std::string::npos);
  CHECK(scratch.finished("run")["exit"] == 128 + 6);
  const Outcome ended = train_crashing(scratch, at + R"("thread_exit")", "1");
  INFO(ended.err);
  CHECK(ended.exit == 69);
  CHECK(ended.err.find("\nsculpt: the process was ended outside of all calls") !=
        std::string::npos);
  CHECK(ended.err.find(running_call) != std::string::npos);
  CHECK(scratch.finished("run")["exit"] == 69);
}

TEST_CASE(
    "a crash outside of plugins is reported with the last call into a plugin, and exits with 134") {
  const Scratch scratch;
  const Outcome outcome = train_crashing(scratch, R"("at":"bind","how":"late")", "1");
  INFO(outcome.err);
  CHECK(outcome.exit == 128 + 6);
  CHECK(outcome.err.find("crashed outside of plugins (SIGABRT); the last call into a plugin was "
                         "letters destroy. The plugin may") != std::string::npos);
  CHECK(scratch.finished("run")["exit"] == 128 + 6);
}

TEST_CASE("a crash in a call for an example is reported with the example on any thread") {
  const Scratch scratch;
  for (const char* threads : {"1", "2"}) {
    for (const char* example : {"0", "1"}) {
      const std::string at = std::string(",\"example\":") + example;
      check_crash_report(train_crashing(scratch, "\"at\":\"loss\"" + at, threads),
                         std::string("example ") + example + ": crashed in loss (SIGSEGV)");
    }
  }
}

TEST_CASE("a stack overflow in a plugin is reported on any thread") {
  const Scratch scratch;
  for (const char* threads : {"1", "2"}) {
    check_crash_report(train_crashing(scratch, "\"how\":\"overflow\",\"example\":1", threads),
                       "example 1: crashed in loss (SIGSEGV)");
  }
}

TEST_CASE(
    "a crash in an extension during training is reported with the function of the extension") {
  const Scratch scratch;
  check_crash_report(train_crashing(scratch, "\"at\":\"add\",\"example\":1"),
                     "example 1: crashed in factor-loss.add (SIGSEGV)");
}
