#include "run/run_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/failure.hpp"
#include "base/file/durable_file.hpp"
#include "base/file/open_file.hpp"
#include "base/file/plain_file.hpp"
#include "base/file/stored_json.hpp"
#include "run/checkpoint.hpp"
#include "run/past_events.hpp"
#include "run/run_entries.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Makes and removes a folder in `path`, or in its closest existing ancestor. So missing rights,
// quotas and read-only file systems are found now, not after hours of training.
void require_writable(const fs::path& path) {
  fs::path ancestor = path;
  std::error_code problem;
  while (!fs::exists(ancestor, problem) && ancestor.has_relative_path()) {
    ancestor = ancestor.parent_path();
  }
  const fs::path probe = ancestor / (".sculpt-probe-" + std::to_string(::getpid()));
  if (!fs::create_directory(probe, problem)) {
    throw system_failure(Exit::cannot_create,
                         path.string() + ": cannot be written to: " + ancestor.string(),
                         problem.value(), "; choose another folder with --output");
  }
  fs::remove(probe, problem);
}

// `finished`: the event "finished" of the run, or null. A run that reached its target cannot
// continue. A run that reached a limit can, with a higher limit: "stopped_by" is then the key.
[[noreturn]] void refuse_existing(const fs::path& path, const Json& finished) {
  std::string text = path.string() + ": holds another run; give ";
  const std::string rule = finished.is_null() ? "" : finished["stopped_by"].get<std::string>();
  if (rule.starts_with("max_")) {
    text += "--resume and a higher \"" + rule + "\" to continue that run, ";
  } else if (rule.empty() || rule == name_of(StoppedBy::signal)) {
    text += "--resume to continue that run, ";
  }
  throw Failure(Exit::cannot_create,
                text + "another folder with --output, or --force to replace it");
}

// True if a run ended here with the event "failed", without model and checkpoint. Nothing is lost
// if it is replaced.
bool holds_failed_run(const fs::path& path) {
  if (may_have_model(path) || has_checkpoint(path / "checkpoints")) return false;
  const Json event = last_event(path / "events.jsonl");
  return event.is_object() && event.value("event", Json()) == "failed";
}

}  // namespace

RunFolder::RunFolder(fs::path path, Existing existing, bool writes)
    : path_(std::move(path)), existing_(existing), writes_(writes) {
  if (!path_.has_filename()) path_ = path_.parent_path();  // a slash at the end
  if (!writes_) return;
  std::error_code problem;
  if (!fs::exists(fs::symlink_status(path_, problem))) {
    require_writable(path_);
    return;
  }
  if (!fs::is_directory(path_, problem)) {
    throw Failure(Exit::cannot_create, path_.string() +
                                           ": exists and is not a folder; choose another one "
                                           "with --output");
  }
  require_plain_entries(path_, existing_ == Existing::resume);
  if (existing_ == Existing::refuse) require_free();
  if (existing_ != Existing::resume) refuse_unknown_files(path_);
  require_writable(path_);
  // The lock keeps the run unchanged until create() or reopen().
  if (existing_ != Existing::refuse) lock_.lock(path_);
}

void RunFolder::require_free() const {
  if (!fs::is_empty(path_) && !holds_failed_run(path_)) refuse_existing(path_, finished_event());
}

Json RunFolder::finished_event() const {
  Json event = last_event(path_ / "events.jsonl");
  const bool has_ended = event.is_object() && event.value("event", Json()) == "finished" &&
                         event.value("stopped_by", Json()).is_string();
  return has_ended && may_have_model(path_) ? event : Json(nullptr);
}

Json RunFolder::earlier_config() const {
  return read_stored_object(path_ / "config.json", Exit::missing);
}

void RunFolder::require_no_model() const {
  if (!may_have_model(path_)) return;
  throw Failure(Exit::cannot_create, path_.string() +
                                         ": has a model and no checkpoint to continue from; give "
                                         "--force to replace it, or another folder with --output");
}

void RunFolder::create(const Json& config) {
  if (!writes_) return;
  std::error_code problem;
  fs::create_directories(path_.parent_path(), problem);
  // If two runs get here at the same time, only one of them makes the folder.
  const bool is_new = !problem && fs::create_directory(path_, problem);
  if (problem) {
    throw system_failure(Exit::cannot_create, path_.string() + ": cannot be created",
                         problem.value());
  }
  // A run that appeared since the constructor must not be resumed or replaced.
  const bool was_locked = lock_.is_held();
  if (!was_locked) lock_.lock(path_);
  if (!is_new && !was_locked) require_free();
  if (!is_new && existing_ == Existing::resume) require_no_model();
  if (!is_new) make_room_for_next_run(path_);
  write_config(config);
  open_events(O_CREAT | O_EXCL);
}

void RunFolder::reopen(const Json& config, std::int64_t pass, std::int64_t validated) {
  if (!writes_) return;
  write_config(config);
  truncate_events(path_ / "events.jsonl", pass, validated);
  open_events(O_CREAT);
}

void RunFolder::write_config(const Json& config) const {
  const std::string text = config.dump(2) + "\n";
  write_durably(path_ / "config.json", std::array{std::string_view(text)});
}

// `flags`: of open(2), in addition.
void RunFolder::open_events(int flags) {
  events_ = open_plain_file(path_ / "events.jsonl", O_WRONLY | O_APPEND | flags);
}

void RunFolder::append_event(const Json& event) {
  if (!writes_) return;
  // A message may contain text that is not UTF-8.
  const std::string line = event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (events_.write(line)) return;
  throw system_failure(Exit::write_failed,
                       (path_ / "events.jsonl").string() + ": cannot be written", errno,
                       "; free space on the disk");
}

void RunFolder::remove_replaced() noexcept {
  if (!writes_) return;
  remove_replaced_run(path_);
}

void RunFolder::append_failure(int exit, const std::string& message) noexcept {
  if (!events_.is_open()) return;
  try {
    append_event({{"event", "failed"}, {"exit", exit}, {"message", message}});
  } catch (const std::exception&) {
    // The user must see the failure itself.
  }
}

}  // namespace sculpt::core
