#include "sweep/runs/cell_record.hpp"

#include <string_view>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/file/stored_json.hpp"
#include "run/past_events.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_event(const Json& event, const char* name) {
  return event.is_object() && event.value("event", Json()) == name;
}

// Seconds until a certified relative gap met `target`, or a residual.
std::optional<double> seconds_to_gap(const char* key, double target, const fs::path& events) {
  const bool is_certified = std::string_view(key) == "relative_gap";
  std::ifstream file = open_if_there(events, Exit::missing);
  for (std::string line; std::getline(file, line);) {
    const Json event = parse_stored_json(line);
    if (!is_event(event, "pass")) continue;
    if (is_certified && event.value("certified", Json()) != true) continue;
    const Json gap = event.value(key, Json());
    const Json seconds = event.value("seconds", Json());
    if (gap.is_number() && gap.get<double>() <= target && seconds.is_number()) {
      return seconds.get<double>();
    }
  }
  return std::nullopt;
}

// The first error message of the host in the log.
std::string first_error_in(const fs::path& log) {
  const std::string prefix = "sculpt: ";
  std::ifstream file = open_if_there(log, Exit::missing);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(prefix)) return line.substr(prefix.size());
  }
  return "";
}

// Why a process failed: the event "failed", else its log, else its exit code.
std::string failure_reason(const Json& last, const fs::path& log, int exit_code) {
  const Json message = is_event(last, "failed") ? last.value("message", Json()) : Json();
  if (message.is_string()) return message.get<std::string>();
  std::string error = first_error_in(log);
  if (!error.empty()) return error;
  constexpr int signal_base = 128;  // 128 + signal
  if (exit_code > signal_base) {
    return "was ended by signal " + std::to_string(exit_code - signal_base);
  }
  return "ended with exit code " + std::to_string(exit_code);
}

// True if the values of the event "finished" have the expected types.
bool is_finished(const Json& event) {
  if (!is_event(event, "finished")) return false;
  const auto is_absent_or = [&](const char* key, bool (Json::*is_type)() const noexcept) {
    return !event.contains(key) || (event[key].*is_type)();
  };
  return event.contains("stopped_by") && event["stopped_by"].is_string() &&
         is_absent_or("passes", &Json::is_number_integer) &&
         is_absent_or("oracle_calls", &Json::is_number_integer) &&
         is_absent_or("seconds", &Json::is_number) &&
         is_absent_or("certified", &Json::is_boolean) &&
         is_absent_or("all_measured", &Json::is_boolean);
}

}  // namespace

bool was_stopped(const CellRecord& record) {
  return !record.has_model() || record.finished.value("stopped_by", "") == "signal" ||
         !record.finished.value("all_measured", true);
}

bool has_left_model(int exit_code) {
  return exit_code == static_cast<int>(Exit::reached) ||
         exit_code == static_cast<int>(Exit::not_reached);
}

Json config_value(const fs::path& run, const std::string& pointer) {
  const Json config = read_stored_object(run / "config.json", Exit::missing);
  const Json::json_pointer json_pointer(pointer);
  return config.contains(json_pointer) ? config.at(json_pointer) : Json();
}

std::int64_t estimated_bytes(const fs::path& run) {
  std::ifstream file = open_if_there(run / "events.jsonl", Exit::missing);
  std::string line;
  if (!std::getline(file, line)) return 0;
  const Json event = parse_stored_json(line);
  if (!is_event(event, "started")) return 0;
  const Json bytes = event.value("memory_estimate_bytes", Json());
  return bytes.is_number_integer() ? bytes.get<std::int64_t>() : 0;
}

CellRecord read_cell(const fs::path& run, const fs::path& log, int exit_code) {
  CellRecord record;
  record.exit_code = exit_code;
  const Json last = last_event(run / "events.jsonl");
  if (!has_left_model(exit_code)) {
    record.reason = failure_reason(last, log, exit_code);
    return record;
  }
  if (!is_finished(last)) {
    record.exit_code = static_cast<int>(Exit::data);
    record.reason = (run / "events.jsonl").string() +
                    ": the last line is not a valid event \"finished\"; remove the run folder, "
                    "and --resume trains it again";
    return record;
  }
  record.finished = last;
  for (const char* const key : {"relative_gap", "residual"}) {
    const Json target = config_value(run, std::string("/solver/") + key);
    if (!target.is_number()) continue;
    record.seconds_to_gap = seconds_to_gap(key, target.get<double>(), run / "events.jsonl");
  }
  return record;
}

}  // namespace sculpt::core
