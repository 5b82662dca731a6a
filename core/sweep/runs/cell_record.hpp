// cell_record.hpp - what a cell of a sweep has left: read from its run folder, not from memory, so
// that a sweep that goes on shows what one that was never interrupted shows.
//
// What is damaged, by a full disk or by hand, counts as not there; nothing here throws for it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace sculpt::core {

struct CellRecord {
  // Of its process; 128 + signal where there was one. Exit::data when that ended with a model and
  // left no event "finished" that can be read.
  int exit = 0;
  std::string reason;  // why it failed; "" when it has a model
  // The event, its "stopped_by" a string; "passes" and "oracle_calls" are integers, "seconds" is a
  // number, "certified" and "all_measured" are booleans where they are there. Null when it failed.
  nlohmann::ordered_json finished;
  // Of the solver, until a certified relative gap was at most the target; nothing: it never was.
  std::optional<double> seconds_to_gap;

  bool has_model() const { return finished.is_object(); }
};

// Whether train with this exit code has left a model.
bool ended_with_model(int exit);

// `log`: what it printed. Reads as much as is there.
CellRecord read_cell(const std::filesystem::path& run, const std::filesystem::path& log, int exit);

// A key of its config.json such as "/solver/warm_start", or all of it for ""; null where there is
// none.
nlohmann::ordered_json configured(const std::filesystem::path& run, const std::string& pointer);

// What the event "started" says it will take; 0: nothing yet.
std::int64_t estimated_bytes(const std::filesystem::path& run);

}  // namespace sculpt::core
