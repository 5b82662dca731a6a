// cell_record.hpp - reads the result of one cell of a sweep from its run folder.
//
// Called by CellRunner, final_run.cpp and the command sweep. The result is not kept in memory, so
// that a resumed sweep shows the same as one that was never interrupted. Damaged files, after a
// full disk or manual changes, count as missing. Nothing here throws for them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace sculpt::core {

struct CellRecord {
  // The exit code of its process; 128 + signal if a signal ended it. Exit::data if it ended with a
  // model but left no readable event "finished".
  int exit_code = 0;
  // Why it failed; "" if it has a model.
  std::string reason;
  // The event "finished"; null if the cell failed. "stopped_by" is a string, "passes" and
  // "oracle_calls" are integers, "seconds" is a number. "certified" and "all_measured" are
  // booleans, if they exist.
  nlohmann::ordered_json finished;
  // Seconds of the solver until a certified relative gap met the target. Nothing: it never did.
  std::optional<double> seconds_to_gap;

  // False: it has not begun, still runs, or was stopped or killed. `reason` says which.
  bool has_ended = true;

  bool has_model() const { return finished.is_object(); }
};

// True if the process of a cell was stopped before it had done everything: --resume goes on.
bool was_stopped(const CellRecord& record);

// True if train with this exit code has left a model.
bool has_left_model(int exit_code);

// Reads as much as exists. `log`: the file with its output.
CellRecord read_cell(const std::filesystem::path& run, const std::filesystem::path& log,
                     int exit_code);

// A value of its config.json, such as "/solver/warm_start", or all of it for "". null if there is
// none.
nlohmann::ordered_json config_value(const std::filesystem::path& run, const std::string& pointer);

// The memory estimate of the event "started" in bytes; 0: not known yet.
std::int64_t estimated_bytes(const std::filesystem::path& run);

}  // namespace sculpt::core
