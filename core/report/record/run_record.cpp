#include "report/record/run_record.hpp"

#include <map>
#include <utility>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/file/stored_json.hpp"
#include "run/folder_lock.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t max_faults = 20;

PassRecord pass_record(const Json& event) {
  PassRecord pass;
  pass.pass = number_at(event, "pass");
  pass.oracle_calls = number_at(event, "oracle_calls");
  pass.seconds = number_at(event, "seconds");
  pass.primal = number_at(event, "primal");
  pass.dual = number_at(event, "dual");
  pass.gap = number_at(event, "gap");
  pass.relative_gap = number_at(event, "relative_gap");
  pass.planes = number_at(event, "planes");
  pass.active_planes = number_at(event, "active_planes");
  pass.certified = event.value("certified", Json()) == true;
  return pass;
}

void add_event(const Json& event, RunRecord& run) {
  const std::string kind = text_at(event, "event");
  if (kind == "pass") {
    run.passes.push_back(pass_record(event));
    run.last_pass = event;
  } else if (kind == "started") {
    run.started = event;
  } else if (kind == "finished") {
    run.finished = event;
  } else if (kind == "failed") {
    run.failure = text_at(event, "message");
    run.finished = Json();
  } else if (kind == "resumed") {
    ++run.resumed_count;
    run.finished = Json();
    run.failure.clear();
  }
}

void read_events(const fs::path& path, RunRecord& run) {
  std::ifstream file = open_if_there(path, Exit::missing);
  std::int64_t number = 0;
  std::size_t fault_count = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const Json event = parse_stored_json(line);
    if (event.is_object() && !text_at(event, "event").empty()) {
      add_event(event, run);
      continue;
    }
    const bool is_cut = file.eof();
    if (++fault_count > max_faults) continue;
    run.faults.push_back(path.string() + ":" + std::to_string(number) +
                         (is_cut ? ": the line is not complete; it is left out"
                                 : ": is no event, so it is damaged; it is left out"));
  }
  if (fault_count > max_faults) {
    run.faults.push_back(path.string() + ": " + std::to_string(fault_count - max_faults) +
                         " more lines are no events; they are left out");
  }
}

RunState state_of(const RunRecord& run) {
  if (is_in_use(run.folder)) return RunState::running;
  if (!run.finished.is_null()) return RunState::finished;
  return run.failure.empty() ? RunState::ended_without_a_result : RunState::failed;
}

}  // namespace

double number_at(const Json& object, const char* key) {
  if (!object.is_object()) return unknown;
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : unknown;
}

std::string text_at(const Json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

bool is_run_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "config.json", ignored) ||
         fs::exists(folder / "events.jsonl", ignored);
}

RunRecord read_run_record(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored) || !is_run_folder(folder)) {
    throw Failure(Exit::missing,
                  folder.string() +
                      ": is not a run folder; report needs a folder with config.json "
                      "and events.jsonl, as train writes it, or the folder of a "
                      "sweep");
  }
  RunRecord run;
  run.folder = folder;
  run.config = read_stored_object(folder / "config.json", Exit::missing);
  read_events(folder / "events.jsonl", run);
  run.has_model = fs::exists(folder / "model.sculpt", ignored);
  run.name = text_at(run.started, "name");
  if (run.name.empty()) run.name = text_at(run.config, "name");
  if (run.name.empty()) run.name = fs::absolute(folder).lexically_normal().filename().string();
  run.state = state_of(run);
  return run;
}

void label_runs(std::vector<RunRecord>& runs) {
  const auto set_label = [&](auto label_of) {
    std::map<std::string, int> counts;
    for (const RunRecord& run : runs) ++counts[run.label];
    for (RunRecord& run : runs) {
      if (counts[run.label] > 1) run.label = label_of(run);
    }
  };
  for (RunRecord& run : runs) run.label = run.name;
  set_label([](const RunRecord& run) {
    fs::path folder = fs::absolute(run.folder).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    return folder.filename().string();
  });
  int number = 0;
  set_label(
      [&](const RunRecord& run) { return run.label + " (" + std::to_string(++number) + ")"; });
}

}  // namespace sculpt::core
