// run_record.hpp - the events and settings of a run that has ended, still runs or was killed.
//
// Only config.json and events.jsonl are read, which need no plugin and no data. Lines that are no
// event are skipped with a warning: a killed run leaves half a line, and files may be damaged.
// Values of the wrong type count as missing. Called by the command report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sculpt::core {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// One event "pass". NaN: not known.
struct PassRecord {
  double pass = unknown;
  double oracle_calls = unknown;
  double seconds = unknown;
  double primal = unknown;  // the best so far
  double dual = unknown;
  double gap = unknown;
  double relative_gap = unknown;
  double planes = unknown;
  double active_planes = unknown;
  bool certified = false;
};

enum class RunState { finished, failed, running, ended_without_a_result };

struct RunRecord {
  std::filesystem::path folder;
  std::string name;   // of the experiment
  std::string label;  // tells it from the other runs of a report
  RunState state = RunState::ended_without_a_result;
  nlohmann::ordered_json config;    // an object, or null
  nlohmann::ordered_json started;   // likewise
  nlohmann::ordered_json finished;  // likewise
  std::string failure;              // the message of the event "failed"
  std::vector<PassRecord> passes;
  nlohmann::ordered_json last_pass;  // the event; null if there is none
  std::int64_t resumed_count = 0;
  std::vector<std::string> faults;  // lines of events.jsonl that were skipped, with their numbers
  bool has_model = false;

  // The event "finished", else the last pass: where the newest certificate is.
  const nlohmann::ordered_json& newest() const { return finished.is_null() ? last_pass : finished; }
};

// True if the folder has files of a run: config.json or events.jsonl.
bool is_run_folder(const std::filesystem::path& folder);

// Throws Failure(Exit::missing) if the folder has no run, or a file of it cannot be opened.
RunRecord read_run_record(const std::filesystem::path& folder);

// Gives each run a label: its name; for equal names also its folder, or its number.
void label_runs(std::vector<RunRecord>& runs);

// The number of a key; NaN if it is missing or no number.
double number_at(const nlohmann::ordered_json& object, const char* key);
// The text of a key; "" if it is missing or no text.
std::string text_at(const nlohmann::ordered_json& object, const char* key);

}  // namespace sculpt::core
