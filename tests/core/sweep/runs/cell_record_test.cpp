// The result of a cell is read from its run folder, also if files are damaged.

#include "sweep/runs/cell_record.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "base/failure.hpp"
#include "core/json_changes.hpp"
#include "core/scratch_folder.hpp"
#include "sweep/results/sweep_table.hpp"

using namespace sculpt::core;

namespace {

using Json = nlohmann::ordered_json;

class Run {
 public:
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
  }
  CellRecord read(const std::string& events, int exit = 0) const {
    write("events.jsonl", events);
    return read_cell(folder_.path(), folder_.path() / "log", exit);
  }
  std::int64_t estimated(const std::string& events) const {
    write("events.jsonl", events);
    return estimated_bytes(folder_.path());
  }

 private:
  test::ScratchFolder folder_;
};

constexpr int data = static_cast<int>(Exit::data);

}  // namespace

TEST_CASE("the record of a finished cell has the seconds until its target was reached") {
  const Run run;
  run.write("config.json", R"({"solver": {"relative_gap": 0.01}})");
  const CellRecord record = run.read(
      R"({"event": "pass", "certified": true, "relative_gap": 0.5, "seconds": 1})"
      "\n"
      R"({"event": "pass", "certified": true, "relative_gap": 0.01, "seconds": 2})"
      "\n"
      R"({"event": "finished", "stopped_by": "relative_gap", "passes": 2, "seconds": 3.5})");
  CHECK(record.has_model());
  CHECK(record.seconds_to_gap == 2);
}

TEST_CASE("a cell whose last event has a value of wrong type has no model") {
  const Run run;
  CHECK(run.read(R"({"event": "finished", "stopped_by": "max_passes", "passes": 2})").has_model());
  for (const char* keys :
       {R"("stopped_by": 3)", R"("passes": 4)", R"("stopped_by": "signal", "passes": "four")",
        R"("stopped_by": "signal", "passes": 1e300)",
        R"("stopped_by": "signal", "oracle_calls": [])",
        R"("stopped_by": "signal", "seconds": "1")", R"("stopped_by": "signal", "certified": 1)",
        R"("stopped_by": "signal", "all_measured": null)"}) {
    CAPTURE(keys);
    const CellRecord record = run.read(std::string(R"({"event": "finished", )") + keys + "}", 3);
    CHECK_FALSE(record.has_model());
    CHECK(record.exit_code == data);
    CHECK(record.reason.find("events.jsonl: the last line is not a valid event \"finished\"") !=
          std::string::npos);
  }
  CHECK(run.read(R"({"event": "finished", "stopped_by": "max_pa)").exit_code == data);
}

TEST_CASE("the reason of a failed cell is its message, or from its log if that has a wrong type") {
  const Run run;
  run.write("log", "reading\nsculpt: no such thing\n");
  const CellRecord record = run.read(R"({"event": "failed", "message": 7})", 69);
  CHECK(record.exit_code == 69);
  CHECK(record.reason == "no such thing");
  CHECK(run.read(R"({"event": "failed", "message": "that"})", 69).reason == "that");
}

TEST_CASE("a memory estimate that is not a valid number counts as none") {
  const Run run;
  CHECK(run.estimated(R"({"event": "started", "memory_estimate_bytes": 4096})") == 4096);
  CHECK(run.estimated(R"({"event": "started", "memory_estimate_bytes": "4 kB"})") == 0);
  CHECK(run.estimated(R"({"event": "started", "memory_estimate_bytes": 1e300})") == 0);
}

TEST_CASE("a cell with any values in its files is read, and its table written") {
  const Run run;
  const Json config = {{"solver", {{"relative_gap", 0.01}, {"warm_start", "../000"}}}};
  const Json started = {{"event", "started"}, {"memory_estimate_bytes", 1000}};
  const Json pass = {
      {"event", "pass"}, {"certified", true}, {"relative_gap", 0.01}, {"seconds", 2}};
  const Json finished = {
      {"event", "finished"},
      {"stopped_by", "relative_gap"},
      {"passes", 2},
      {"oracle_calls", 4},
      {"seconds", 3.5},
      {"primal", 1.5},
      {"primal_low", 1.5},
      {"primal_high", 1.5},
      {"dual", 1.4},
      {"relative_gap", 0.01},
      {"certified", true},
      {"all_measured", true},
      {"validation", {{"loss", 0.5}, {"loss_standard_error", 0.1}, {"examples", 3}}},
      {"test", {{"loss", 0.5}}},
      {"predict_with", {{"icm", {{"validation", {{"loss", 0.6}}}}}}},
      {"audit", {{"oracle", "lp"}, {"relative_gap", 0.02}, {"known", "exactly"}}}};
  const Grid grid({"x=1"});
  const SweepPlan plan = plan_of(grid, HoldOutOptions(), {PointTraits{1, false}});
  const Json files = {config, started, pass, finished};
  test::for_each_change(
      files,
      [&](const Json& changed, const std::string& what) {
        CAPTURE(what);
        if (changed.size() != files.size()) return;
        run.write("config.json", changed[0].dump());
        const std::string events = changed[1].dump() + "\n" + changed[2].dump() + "\n";
        run.estimated(events);
        const std::vector<CellRecord> records{run.read(events + changed[3].dump() + "\n")};
        const SweepTable table(grid, plan, records);
        CHECK_NOTHROW(table.json());
        CHECK_NOTHROW(table.csv());
        CHECK_NOTHROW(table.markdown());
      },
      test::WrongValues::all);
}
