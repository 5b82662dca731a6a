// What Ctrl-C, TERM and HUP do, phase by phase. The plugin alarm raises them, so no clock is
// involved.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

Outcome train_alarmed(const Scratch& scratch, const std::string& at, const std::string& signal) {
  write_small_experiment(scratch);
  return scratch.sculpt(with_test_plugins(
      {"train", "small.json", "--output", "run", "--set",
       "loss={\"use\":\"alarm\",\"at\":\"" + at + "\",\"signal\":\"" + signal + "\"}"}));
}

}  // namespace

TEST_CASE(
    "threads: a run that is stopped before it is bound leaves nothing and exits as shells do") {
  for (const std::pair<const char*, int>& expected :
       {std::pair{"int", 130}, {"term", 143}, {"hup", 129}, {"term_hup", 143}, {"hup_term", 129}}) {
    CAPTURE(expected.first);
    const Scratch scratch;
    const Outcome outcome = train_alarmed(scratch, "bind", expected.first);
    CHECK(outcome.exit == expected.second);
    CHECK(outcome.err.find("stopped on request") != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / "run"));
  }
}

TEST_CASE("threads: nohup(1) has a run outlive its terminal") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.run(
      with_test_plugins({"nohup", SCULPT_TEST_BINARY, "train", "small.json", "--output", "run",
                         "--set", R"(loss={"use":"alarm","at":"bind","signal":"hup"})"}));
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
}

// Ctrl-C ends tee(1), too.
TEST_CASE("threads: a run whose reader goes away still writes its model") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::string train =
      std::string("( '") + SCULPT_TEST_BINARY + "' train small.json --output run; echo $? > exit )";
  scratch.run({"sh", "-c", "mkfifo pipe; " + train + " > pipe 2>&1 & : < pipe; wait"});
  CHECK(scratch.read("exit") == "74\n");
  CHECK(scratch.finished("run")["event"] == "finished");
  CHECK(fs::exists(scratch / "run/model.sculpt"));
}

TEST_CASE("threads: TERM behind INT quits at once and tells what it did not wait for") {
  const Scratch scratch;
  const Outcome outcome = train_alarmed(scratch, "bind", "int_term");
  CHECK(outcome.exit == 143);
  CHECK(outcome.err.find("\nsculpt: killed: alarm: was still inside of bind\n") !=
        std::string::npos);
  CHECK(outcome.err.find("stopped on request") == std::string::npos);  // killed where it was
}

TEST_CASE("threads: the same signal again at once is one request: timeout(1) sends two") {
  const Scratch scratch;
  const Outcome outcome = train_alarmed(scratch, "bind", "int_int");
  CHECK(outcome.exit == 130);
  CHECK(outcome.err.find("stopped on request") != std::string::npos);
}

TEST_CASE("threads: a run that is stopped while it measures still has its finished event") {
  const Scratch scratch;
  const Outcome outcome = train_alarmed(scratch, "measured", "int");
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  const Json event = scratch.finished("run");
  CHECK(event["event"] == "finished");
  CHECK(event["certified"] == true);
  CHECK(event["train"]["wrong"] == 0);
  CHECK_FALSE(event.contains("test"));
  CHECK(outcome.err.find("not all splits have been measured") != std::string::npos);
}
