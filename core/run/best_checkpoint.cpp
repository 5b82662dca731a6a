#include "run/best_checkpoint.hpp"

#include <system_error>

#include "base/file/open_file.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

fs::path best_path(const fs::path& folder) {
  return folder / "best.sculpt";
}
fs::path previous_best_path(const fs::path& folder) {
  return folder / "previous_best.sculpt";
}

}  // namespace

// A checkpoint is never changed in place, so a second name for it is as good as a copy. The file
// system may not have second names.
void keep_best_checkpoint(const fs::path& folder) {
  const fs::path last = folder / "last.sculpt";
  const fs::path new_best = folder / "new_best.sculpt";
  std::error_code problem;
  fs::remove(new_best, problem);
  fs::create_hard_link(last, new_best, problem);
  if (problem) {
    problem.clear();
    fs::copy_file(last, new_best, problem);
  }
  std::error_code ignored;  // there may be no best one yet
  if (!problem) fs::rename(best_path(folder), previous_best_path(folder), ignored);
  if (!problem) fs::rename(new_best, best_path(folder), problem);
  if (!problem) return;
  throw system_failure(Exit::write_failed, best_path(folder).string() + ": cannot be written",
                       problem.value(), "; free space on the disk");
}

std::unique_ptr<Checkpoint> open_best_checkpoint(
    const fs::path& folder, const std::function<bool(const Checkpoint&)>& is_wanted) {
  for (const fs::path& path : {best_path(folder), previous_best_path(folder)}) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    try {
      auto checkpoint = std::make_unique<Checkpoint>(path);
      if (is_wanted(*checkpoint)) return checkpoint;
    } catch (const Failure& failure) {
      if (failure.ends_process()) throw;  // the file may be in order
    }
  }
  return nullptr;
}

void drop_best_checkpoints(const fs::path& folder, bool both) {
  std::error_code ignored;
  fs::remove(previous_best_path(folder), ignored);
  if (both) fs::remove(best_path(folder), ignored);
}

}  // namespace sculpt::core
