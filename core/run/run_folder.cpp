#include "run/run_folder.hpp"

#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "failure.hpp"
#include "run/durable_file.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// What a run folder may hold; anything else there is not ours to remove.
const std::set<std::string> known_entries{"config.json", "config.json.partial", "events.jsonl",
                                          "model.sculpt", "model.sculpt.partial"};

void refuse_strangers(const fs::path& path) {
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename();
    if (known_entries.count(name) == 0) {
      throw Failure(Exit::output, path.string() + ": holds '" + name +
                                      "', which no run has written, so --force does not replace "
                                      "it; choose another folder with --output");
    }
  }
}

// Makes and removes a folder in the closest ancestor that is there: rights, quotas and read-only
// file systems show themselves now, not after hours of training.
void probe(const fs::path& path) {
  fs::path ancestor = path.parent_path();
  std::error_code problem;
  while (!fs::exists(ancestor, problem) && ancestor.has_relative_path()) {
    ancestor = ancestor.parent_path();
  }
  const fs::path trial = ancestor / (".sculpt-probe-" + std::to_string(::getpid()));
  if (!fs::create_directory(trial, problem)) {
    throw Failure(Exit::output, path.string() + ": cannot be created: " + ancestor.string() + ": " +
                                    problem.message() + "; choose another folder with --output");
  }
  fs::remove(trial, problem);
}

[[noreturn]] void refuse_existing(const fs::path& path) {
  throw Failure(Exit::output, path.string() +
                                  ": exists; give --force to replace that run, or another folder "
                                  "with --output");
}

// Whether a run ended here with the event "failed" and without a model: nothing to lose.
bool holds_failed_run(const fs::path& path) {
  std::error_code problem;
  if (fs::exists(path / "model.sculpt", problem) || problem) return false;
  std::ifstream events(path / "events.jsonl", std::ios::binary);
  std::string last;
  for (std::string line; std::getline(events, line);) last = std::move(line);
  const Json event = Json::parse(last, nullptr, false);
  return event.is_object() && event.value("event", Json()) == "failed";
}

void remove_earlier_run(const fs::path& path) {
  refuse_strangers(path);
  for (const std::string& entry : known_entries) {
    std::error_code problem;
    fs::remove(path / entry, problem);
    if (!problem) continue;
    throw Failure(Exit::output,
                  (path / entry).string() + ": cannot be replaced: " + problem.message());
  }
}

}  // namespace

RunFolder::RunFolder(fs::path path, bool force) : path_(std::move(path)), force_(force) {
  if (!path_.has_filename()) path_ = path_.parent_path();  // a slash at the end
  std::error_code problem;
  if (!fs::exists(fs::symlink_status(path_, problem))) {
    probe(path_);
    return;
  }
  if (!fs::is_directory(path_, problem)) {
    throw Failure(Exit::output, path_.string() +
                                    ": exists and is no folder; choose another one "
                                    "with --output");
  }
  if (!force_ && !holds_failed_run(path_)) refuse_existing(path_);
  refuse_strangers(path_);
  probe(path_ / "x");
}

void RunFolder::create(const Json& config) {
  std::error_code problem;
  fs::create_directories(path_.parent_path(), problem);
  // Of two runs that get here at the same time, one makes the folder.
  const bool made = !problem && fs::create_directory(path_, problem);
  if (problem) {
    throw Failure(Exit::output, path_.string() + ": cannot be created: " + problem.message());
  }
  // Or another run has taken the place of the failed one since.
  if (!made && !force_ && !holds_failed_run(path_)) refuse_existing(path_);
  if (!made) remove_earlier_run(path_);
  const std::string text = config.dump(2) + "\n";
  write_durably(path_ / "config.json", std::array{std::string_view(text)});
  events_.open(path_ / "events.jsonl", std::ios::binary);
}

void RunFolder::append_event(const Json& event) {
  // A message may quote what is no UTF-8.
  events_ << event.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  if (!events_) {
    throw Failure(Exit::write, (path_ / "events.jsonl").string() +
                                   ": cannot be written; is the "
                                   "disk full?");
  }
}

void RunFolder::note_failure(int exit, const std::string& message) noexcept {
  if (!events_.is_open()) return;
  try {
    append_event({{"event", "failed"}, {"exit", exit}, {"message", message}});
  } catch (const std::exception&) {
    // The failure itself is what the user shall hear of.
  }
}

}  // namespace sculpt::core
