#include "run/run_entries.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/file/plain_file.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view checkpoint_folder = "checkpoints";

// Files come before their folder, and the model is last. So a run that is only partly moved or
// removed still has its model.
constexpr std::array<std::string_view, 16> known_entries{"report.html",
                                                         "report.html.partial",
                                                         "config.json",
                                                         "config.json.partial",
                                                         "events.jsonl",
                                                         "checkpoints/last.sculpt",
                                                         "checkpoints/last.sculpt.partial",
                                                         "checkpoints/previous.sculpt",
                                                         "checkpoints/start.sculpt",
                                                         "checkpoints/start.sculpt.partial",
                                                         "checkpoints/best.sculpt",
                                                         "checkpoints/new_best.sculpt",
                                                         "checkpoints/previous_best.sculpt",
                                                         checkpoint_folder,
                                                         "model.sculpt.partial",
                                                         "model.sculpt"};

// Checks the files of `folder / prefix`. `folder`: the run, or the run in its replaced/. `prefix`:
// "" or "checkpoints/".
void refuse_unknown_files(const fs::path& run, const fs::path& folder, const std::string& prefix) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / prefix)) {
    const std::string name = prefix + entry.path().filename().string();
    std::error_code problem;
    if (folder == run && entry.path() == replaced_run(run) && entry.is_directory(problem)) {
      refuse_unknown_files(run, entry.path(), "");
      continue;
    }
    if (std::find(known_entries.begin(), known_entries.end(), name) == known_entries.end()) {
      throw Failure(Exit::cannot_create, folder.string() + ": contains '" + name +
                                             "', which no run has written; choose another folder "
                                             "with --output");
    }
    if (entry.is_directory(problem)) refuse_unknown_files(run, folder, name + "/");
  }
}

// How a resumed run changes a file. Events are appended. All other files are written under another
// name, and renamed.
FileChange change_of(std::string_view entry) {
  const bool is_in_place = entry == "events.jsonl" || entry.ends_with(".partial");
  return is_in_place ? FileChange::in_place : FileChange::by_rename;
}

void throw_if_failed(const fs::path& path, const std::error_code& problem) {
  if (!problem || problem == std::errc::not_a_directory) return;
  throw system_failure(Exit::cannot_create, path.string() + ": cannot be replaced",
                       problem.value());
}

void remove_entries(const fs::path& folder) {
  for (const std::string_view entry : known_entries) {
    std::error_code problem;
    fs::remove(folder / entry, problem);
    throw_if_failed(folder / entry, problem);
  }
}

void move_to_replaced(const fs::path& run) {
  const fs::path replaced = replaced_run(run);
  remove_entries(replaced);
  std::error_code problem;
  fs::create_directory(replaced, problem);
  throw_if_failed(replaced, problem);
  for (const std::string_view entry : known_entries) {
    if (entry.find('/') != std::string_view::npos || !fs::exists(run / entry, problem)) continue;
    fs::rename(run / entry, replaced / entry, problem);
    throw_if_failed(run / entry, problem);
  }
}

}  // namespace

fs::path replaced_run(const fs::path& run) {
  return run / "replaced";
}

bool may_have_model(const fs::path& run) {
  std::error_code problem;
  return fs::exists(run / "model.sculpt", problem) || problem;
}

void require_plain_entries(const fs::path& run, bool is_resumed) {
  require_plain_folder(replaced_run(run));
  for (const fs::path& folder : {run, replaced_run(run)}) {
    require_plain_folder(folder / checkpoint_folder);
    for (const std::string_view entry : known_entries) {
      const bool is_kept = is_resumed && folder == run;
      const FileChange change = is_kept ? change_of(entry) : FileChange::by_rename;
      if (entry != checkpoint_folder) require_plain_file(folder / entry, change);
    }
  }
}

void refuse_unknown_files(const fs::path& run) {
  refuse_unknown_files(run, run, "");
}

void make_room_for_next_run(const fs::path& run) {
  if (may_have_model(run) && !may_have_model(replaced_run(run))) {
    move_to_replaced(run);
  } else {
    remove_entries(run);
  }
}

void remove_replaced_run(const fs::path& run) noexcept {
  try {
    if (!fs::exists(replaced_run(run))) return;
    remove_entries(replaced_run(run));
    fs::remove(replaced_run(run));
  } catch (const std::exception&) {
    // Files that are left do no harm.
  }
}

}  // namespace sculpt::core
