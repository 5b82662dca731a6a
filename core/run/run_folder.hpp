// run_folder.hpp - the folder of a training run.
//
// Made by train.
//
//   config.json    the resolved experiment: training it again gives the same run
//   events.jsonl   one JSON object a line: started, pass..., validated..., finished or failed;
//                  resumed
//   model.sculpt   written when training has finished
//   checkpoints/   states of the solver (checkpoint.hpp, best_checkpoint.hpp)
//   report.html    the page that report wrote, if it was asked to
//   replaced/      the previous run with its model, until there is a new model (run_entries.hpp)
//
// The folder is made after everything is bound, so a run that could not start leaves nothing. A run
// that failed later leaves the reason. If it left no model and no checkpoint, the next run may take
// its place. The same holds for an empty folder. Single-threaded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/file/file_descriptor.hpp"
#include "run/folder_lock.hpp"

namespace sculpt::core {

class RunFolder {
 public:
  // What to do with an earlier run: `refuse` it, `replace` it, or `resume` it. A run that failed
  // and left nothing is always replaced.
  enum class Existing { refuse, replace, resume };

  // Checks before the training if the folder can be used. It is refused if a file or folder of a
  // run is a link, or if another run is using it. Also if it has files that no run wrote, except
  // with `resume`. With `refuse`, create() checks for other runs. Throws
  // Failure(Exit::cannot_create).
  // `writes` false: the folder belongs to another rank, which writes it. Then nothing is checked,
  // locked or written.
  RunFolder(std::filesystem::path path, Existing existing, bool writes = true);

  // The event "finished" if the run ended with a model, else null.
  nlohmann::ordered_json finished_event() const;
  // config.json of the earlier run; null if there is none.
  nlohmann::ordered_json earlier_config() const;
  // For `resume` without a checkpoint. Throws Failure(Exit::cannot_create) if the run left a model:
  // starting again would replace it.
  void require_no_model() const;
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }

  // Makes the folder and writes config.json. Files of an earlier run are removed; with a model they
  // are kept in replaced/. Refuses a run that appeared since the constructor, and a model that
  // `resume` would replace. Throws Failure.
  void create(const nlohmann::ordered_json& config);

  // Resumes the run: writes config.json and removes the events after `pass`, and validations after
  // pass number `validated`. Requires `resume` and a run. Throws Failure.
  void reopen(const nlohmann::ordered_json& config, std::int64_t pass, std::int64_t validated = 0);

  // Appends one line to events.jsonl. Requires create() or reopen(). Throws
  // Failure(Exit::write_failed).
  void append_event(const nlohmann::ordered_json& event);

  // Removes the run in replaced/. Call it when there is a new complete model.
  void remove_replaced() noexcept;

  // Writes the event "failed", if possible. Does nothing before create() or reopen().
  void append_failure(int exit, const std::string& message) noexcept;

  const std::filesystem::path& path() const { return path_; }
  bool writes() const { return writes_; }
  std::filesystem::path model_path() const { return path_ / "model.sculpt"; }

 private:
  void write_config(const nlohmann::ordered_json& config) const;
  void require_free() const;
  void open_events(int flags);

  std::filesystem::path path_;
  Existing existing_;
  bool writes_;
  FolderLock lock_;  // from create() on; with `resume` and `replace` from the constructor on
  FileDescriptor events_;
};

}  // namespace sculpt::core
