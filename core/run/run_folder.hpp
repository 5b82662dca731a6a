// run_folder.hpp - the folder a training run leaves behind.
//
//   config.json    the experiment, resolved: training it again gives the same run
//   events.jsonl   one JSON object a line: started, pass..., finished or failed; resumed
//   model.sculpt   written when training has finished
//   checkpoints/   states of the solver (checkpoint.hpp)
//   replaced/      the run before with its model, until there is another one (run_entries.hpp)
//
// Made only once everything is bound, so that a run that could not begin leaves nothing. One that
// failed later leaves the reason; as long as it left no model and no checkpoint, the next run may
// take its place, as it may an empty folder. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "run/folder_lock.hpp"

namespace sculpt::core {

class RunFolder {
 public:
  // What is to be done with a run that is there already, unless it failed and left nothing:
  // `refuse` it, `replace` it, or `resume` it as far as it got.
  enum class Existing { refuse, replace, resume };

  // Finds out before any work is done whether the folder can be made, or taken: one that holds what
  // no run has written never is, but to resume. Nor is one that another run is at work in. Throws
  // Failure(Exit::output).
  RunFolder(std::filesystem::path path, Existing existing);

  // Of a run that is to be resumed. The event "finished" of one that ended with a model, else null.
  nlohmann::ordered_json finished() const;
  // Its config.json; null when there is none.
  nlohmann::ordered_json earlier_config() const;
  // Of a run that is to be resumed and has no checkpoint. Throws Failure(Exit::output) where it
  // left a model: beginning afresh would replace that.
  void require_no_model() const;
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }

  // Makes it and writes config.json. What the earlier run left is removed, or kept in replaced/ if
  // there is a model; one that has come to be since the constructor is refused, as is a model that
  // `resume` would replace. Throws Failure.
  void create(const nlohmann::ordered_json& config);

  // Goes on with it: writes config.json and cuts off the events behind `pass`. Requires `resume`
  // and a run. Throws Failure.
  void reopen(const nlohmann::ordered_json& config, std::int64_t pass);

  // Appends one line to events.jsonl. Requires create() or reopen(). Throws Failure(Exit::write).
  void append_event(const nlohmann::ordered_json& event);

  // Removes the run in replaced/: for when there is a model that is worth as much.
  void remove_replaced() noexcept;

  // The event "failed", as far as it can be written. Nothing before create() or
  // reopen().
  void note_failure(int exit, const std::string& message) noexcept;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path model_path() const { return path_ / "model.sculpt"; }

 private:
  void write_config(const nlohmann::ordered_json& config) const;
  void require_free() const;
  void open_events(std::ios::openmode mode);

  std::filesystem::path path_;
  Existing existing_;
  FolderLock lock_;  // from create() on, or the constructor where a run may be resumed or replaced
  std::ofstream events_;
};

}  // namespace sculpt::core
