#include "sweep/runs/sweep_folder.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/failure.hpp"
#include "base/file/durable_file.hpp"
#include "base/file/open_file.hpp"
#include "base/file/plain_file.hpp"
#include "base/file/stored_json.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* plan_name = "plan.json";
constexpr const char* table_name = "sweep.json";
constexpr const char* replaced_name = "replaced";

// Throws if an entry of the sweep is a link or otherwise not what its name says. The processes of
// the cells check what is in their own folders.
void require_plain_sweep(const fs::path& path) {
  for (const char* name : {plan_name, table_name, "sweep.csv", "sweep.md"}) {
    require_plain_file(path / name, FileChange::by_rename);
    require_plain_file(path / (std::string(name) + ".partial"), FileChange::in_place);
  }
  for (const char* name : {"cells", "best", "slurm", replaced_name})
    require_plain_folder(path / name);
  std::error_code no_cells;
  for (const fs::directory_entry& entry : fs::directory_iterator(path / "cells", no_cells)) {
    if (entry.symlink_status().type() == fs::file_type::directory) continue;
    const bool is_replaced = entry.path().extension() == ".json";
    require_plain_file(entry.path(), is_replaced ? FileChange::by_rename : FileChange::in_place);
  }
}

// True if there is any file. A partial plan.json does not count: the sweep was killed while writing
// it.
bool has_files(const fs::path& path) {
  const fs::directory_iterator entries(path);
  return std::any_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    return entry.path().filename() != std::string(plan_name) + ".partial";
  });
}

[[noreturn]] void refuse_to_replace(const fs::path& path, const std::error_code& problem) {
  throw system_failure(Exit::cannot_create, path.string() + ": cannot be replaced",
                       problem.value());
}

// Moves the sweep to replaced/. If it has no table yet and replaced/ exists, that sweep is kept,
// and the unfinished one is removed.
void move_to_replaced(const fs::path& path) {
  const bool keeps_replaced = fs::exists(path / replaced_name) && !fs::exists(path / table_name);
  std::error_code problem;
  if (!keeps_replaced) {
    fs::remove_all(path / replaced_name, problem);
    if (!problem) fs::create_directory(path / replaced_name, problem);
    if (problem) refuse_to_replace(path / replaced_name, problem);
  }
  for (const char* name :
       {table_name, "sweep.csv", "sweep.md", "report.html", "best", "slurm", "cells"}) {
    if (!fs::exists(path / name)) continue;
    if (keeps_replaced) {
      fs::remove_all(path / name, problem);
    } else {
      fs::rename(path / name, path / replaced_name / name, problem);
    }
    if (problem) refuse_to_replace(path / name, problem);
  }
}

}  // namespace

SweepFolder::SweepFolder(fs::path path, RunFolder::Existing existing, PlanRecord& plan,
                         bool is_shared)
    : path_(std::move(path)) {
  std::error_code problem;
  fs::create_directories(path_, problem);
  if (problem) {
    throw system_failure(Exit::cannot_create, path_.string() + ": cannot be created",
                         problem.value());
  }
  lock_.lock(path_, is_shared ? FolderLock::Use::shared : FolderLock::Use::alone);
  require_plain_sweep(path_);
  const Json earlier_plan = read_stored_object(path_ / plan_name, Exit::cannot_create);
  if (earlier_plan.is_null() && has_files(path_)) {
    throw Failure(Exit::cannot_create,
                  path_.string() +
                      ": contains files that belong to no sweep; choose another "
                      "folder with --output");
  }
  if (!earlier_plan.is_null() && existing == RunFolder::Existing::refuse) {
    throw Failure(Exit::cannot_create,
                  path_.string() +
                      ": contains a sweep; give --resume to continue it, --force to "
                      "replace it, or another folder with --output");
  }
  if (!earlier_plan.is_null() && existing == RunFolder::Existing::resume) {
    plan.resume(earlier_plan, (path_ / plan_name).string());
  }
  if (!earlier_plan.is_null() && existing == RunFolder::Existing::replace) {
    move_to_replaced(path_);
  }
  write(plan_name, plan.json().dump(2) + "\n");
  fs::create_directories(cells(), problem);
  if (problem) {
    throw system_failure(Exit::cannot_create, cells().string() + ": cannot be created",
                         problem.value());
  }
}

SweepFolder::SweepFolder(fs::path path, PlanRecord& plan) : path_(std::move(path)) {
  const Json earlier_plan = read_stored_object(path_ / plan_name, Exit::missing);
  if (earlier_plan.is_null()) {
    throw Failure(
        Exit::missing,
        path_.string() +
            ": there is no sweep; begin it with --slurm, or name its folder with --output");
  }
  lock_.lock(path_, FolderLock::Use::shared);
  require_plain_sweep(path_);
  plan.join(earlier_plan, (path_ / plan_name).string());
}

FolderLock SweepFolder::turn() const {
  FolderLock lock;
  lock.lock(cells(), FolderLock::Use::in_turn);
  return lock;
}

void SweepFolder::remove_replaced() const {
  std::error_code ignored;
  fs::remove_all(path_ / replaced_name, ignored);
}

void SweepFolder::write(const std::string& name, const std::string& text) const {
  write_durably(path_ / name, std::array{std::string_view(text)});
}

}  // namespace sculpt::core
