// The effect of Ctrl-C, TERM and HUP in each phase of a run. The plugin alarm raises the signals,
// so the tests need no clock.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

Outcome train_with_signal(const Scratch& scratch, const std::string& at,
                          const std::string& signal) {
  write_small_experiment(scratch);
  return scratch.sculpt(with_test_plugins(
      {"train", "small.json", "--output", "run", "--set",
       "loss={\"use\":\"alarm\",\"at\":\"" + at + "\",\"signal\":\"" + signal + "\"}"}));
}

}  // namespace

TEST_CASE("threads: a signal during bind leaves no run folder and exits with 128 + the signal") {
  for (const std::pair<const char*, int>& expected :
       {std::pair{"int", 130}, {"term", 143}, {"hup", 129}, {"term_hup", 143}, {"hup_term", 129}}) {
    CAPTURE(expected.first);
    const Scratch scratch;
    const Outcome outcome = train_with_signal(scratch, "bind", expected.first);
    CHECK(outcome.exit == expected.second);
    CHECK(outcome.err.find("stopped on request") != std::string::npos);
    CHECK(outcome.err.find("\n\n") == std::string::npos);  // only a terminal has a line to leave
    CHECK(outcome.err.front() != '\n');
    CHECK_FALSE(fs::exists(scratch / "run"));
  }
}

TEST_CASE("threads: a run under nohup(1) ignores HUP") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.run(
      with_test_plugins({"nohup", SCULPT_TEST_BINARY, "train", "small.json", "--output", "run",
                         "--set", R"(loss={"use":"alarm","at":"bind","signal":"hup"})"}));
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
}

// Ctrl-C also ends tee(1), which reads the output.
TEST_CASE("threads: a run whose output pipe closes still writes its model") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::string train =
      std::string("( '") + SCULPT_TEST_BINARY + "' train small.json --output run; echo $? > exit )";
  scratch.run({"sh", "-c", "mkfifo pipe; " + train + " > pipe 2>&1 & : < pipe; wait"});
  CHECK(scratch.read("exit") == "74\n");
  CHECK(scratch.finished("run")["event"] == "finished");
  CHECK(fs::exists(scratch / "run/model.sculpt"));
}

TEST_CASE("threads: TERM after INT ends the process at once and reports the running call") {
  const Scratch scratch;
  const Outcome outcome = train_with_signal(scratch, "bind", "int_term");
  CHECK(outcome.exit == 143);
  CHECK(outcome.err.find("\nsculpt: killed: alarm: was still inside of bind\n") !=
        std::string::npos);
  CHECK(outcome.err.find("stopped on request") == std::string::npos);  // killed where it was
}

TEST_CASE("threads: the same signal again at once is one request, because timeout(1) sends two") {
  const Scratch scratch;
  const Outcome outcome = train_with_signal(scratch, "bind", "int_int");
  CHECK(outcome.exit == 130);
  CHECK(outcome.err.find("stopped on request") != std::string::npos);
}

TEST_CASE("threads: a run that is stopped while it measures still writes its finished event") {
  const Scratch scratch;
  const Outcome outcome = train_with_signal(scratch, "measured", "int");
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  const Json event = scratch.finished("run");
  CHECK(event["event"] == "finished");
  CHECK(event["certified"] == true);
  CHECK(event["train"]["wrong"] == 0);
  CHECK_FALSE(event.contains("test"));
  CHECK(outcome.err.find("not all splits are measured") != std::string::npos);
}
