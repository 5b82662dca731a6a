// What is read of a run folder, however its run ended.

#include "report/record/run_record.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "base/failure.hpp"
#include "core/scratch_folder.hpp"
#include "run/folder_lock.hpp"

using namespace sculpt::core;
using sculpt::core::test::ScratchFolder;

namespace {

constexpr const char* started = R"({"event":"started","name":"toy","examples":3})";
constexpr const char* pass = R"({"event":"pass","pass":1,"oracle_calls":3,"dual":0.5,"gap":null})";
constexpr const char* finished_event = R"({"event":"finished","stopped_by":"relative_gap"})";

void write(const ScratchFolder& scratch, const std::string& events) {
  std::ofstream(scratch.path() / "config.json") << R"({"name": "toy"})";
  std::ofstream(scratch.path() / "events.jsonl", std::ios::binary) << events;
}

RunRecord read(const ScratchFolder& scratch, const std::string& events) {
  write(scratch, events);
  return read_run_record(scratch.path());
}

std::string lines(const std::vector<std::string>& events) {
  std::string text;
  for (const std::string& event : events) text += event + "\n";
  return text;
}

}  // namespace

TEST_CASE("a finished run, a failed one, and one that was killed") {
  const ScratchFolder scratch;
  CHECK(read(scratch, lines({started, pass, finished_event})).state == RunState::finished);
  const RunRecord failed =
      read(scratch, lines({started, pass, R"({"event":"failed","message":"no memory"})"}));
  CHECK(failed.state == RunState::failed);
  CHECK(failed.failure == "no memory");
  CHECK(read(scratch, lines({started, pass})).state == RunState::ended_without_a_result);
  CHECK(read(scratch, "").state == RunState::ended_without_a_result);
  // Resumed after it had ended at a limit, and killed.
  const RunRecord resumed =
      read(scratch, lines({started, pass, finished_event, R"({"event":"resumed","pass":1})"}));
  CHECK(resumed.state == RunState::ended_without_a_result);
  CHECK(resumed.resumed_count == 1);
}

TEST_CASE("a run that holds its folder is running") {
  const ScratchFolder scratch;
  write(scratch, lines({started}));
  {
    FolderLock lock;
    lock.lock(scratch.path());
    CHECK(read_run_record(scratch.path()).state == RunState::running);
  }
  CHECK(read_run_record(scratch.path()).state == RunState::ended_without_a_result);
  // A reader leaves no lock behind.
  FolderLock lock;
  lock.lock(scratch.path());
}

TEST_CASE("numbers that are null, missing or of another type are not known") {
  const ScratchFolder scratch;
  const RunRecord run = read(scratch, lines({started, pass, R"({"event":"pass","pass":"2"})"}));
  REQUIRE(run.passes.size() == 2);
  CHECK(run.passes[0].oracle_calls == 3);
  CHECK(run.passes[0].dual == 0.5);
  CHECK(std::isnan(run.passes[0].gap));
  CHECK(std::isnan(run.passes[0].primal));
  CHECK(std::isnan(run.passes[1].pass));
}

TEST_CASE("damaged lines are skipped, and named with their numbers") {
  const ScratchFolder scratch;
  const std::string nul("{\"event\":\0}", 11);
  const RunRecord run =
      read(scratch, lines({started, "[1,2", pass, nul, "\xff\xfe", "[]", R"({"a":1})", pass}) +
                        R"({"event":"pass","pass":3,"ora)");
  CHECK(run.passes.size() == 2);
  REQUIRE(run.faults.size() == 6);
  CHECK(run.faults[0].find("events.jsonl:2: is no event") != std::string::npos);
  CHECK(run.faults[1].find("events.jsonl:4: ") != std::string::npos);
  CHECK(run.faults[5].find("events.jsonl:9: the line is not complete") != std::string::npos);
}

TEST_CASE("a file of rubbish gives few messages") {
  const ScratchFolder scratch;
  const RunRecord run = read(scratch, lines(std::vector<std::string>(5000, "rubbish")));
  CHECK(run.faults.size() == 21);
  CHECK(run.faults.back().find("4980 more lines") != std::string::npos);
}

TEST_CASE("a folder without a run is refused") {
  const ScratchFolder scratch;
  for (const std::filesystem::path& path : {scratch.path(), scratch.path() / "missing"}) {
    CHECK_THROWS_WITH_AS(read_run_record(path), doctest::Contains("is not a run folder"), Failure);
  }
}

TEST_CASE("runs of one name get labels that differ") {
  std::vector<RunRecord> runs(4);
  for (RunRecord& run : runs) run.name = "ocr";
  runs[0].folder = "/a/one";
  runs[1].folder = "/a/two/";
  runs[2].folder = "/b/two";
  runs[3].name = "other";
  label_runs(runs);
  CHECK(runs[0].label == "one");
  CHECK(runs[1].label == "two (1)");
  CHECK(runs[2].label == "two (2)");
  CHECK(runs[3].label == "other");
}
