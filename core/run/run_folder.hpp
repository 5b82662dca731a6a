// run_folder.hpp - the folder a training run leaves behind.
//
//   config.json    the experiment, resolved: training it again gives the same run
//   events.jsonl   one JSON object a line: started, pass..., finished or failed
//   model.sculpt   written when training has finished
//
// Made only once everything is bound, so that a run that could not begin leaves nothing. One that
// failed later leaves the reason; as long as it left no model, the next run may take its place. One
// thread.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sculpt::core {

class RunFolder {
 public:
  // Finds out before any work is done whether the folder can be made. An existing one is taken if
  // its run failed, and with `force` if it is empty or any run folder; else it is refused. Throws
  // Failure(Exit::output).
  RunFolder(std::filesystem::path path, bool force);

  // Makes it and writes config.json. What the earlier run left is removed; without `force` a folder
  // that has come to be since the constructor is refused. Throws Failure.
  void create(const nlohmann::ordered_json& config);

  // Appends one line to events.jsonl. Requires create(). Throws Failure(Exit::write).
  void append_event(const nlohmann::ordered_json& event);

  // The event "failed", as far as it can be written. Nothing before create().
  void note_failure(int exit, const std::string& message) noexcept;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path model_path() const { return path_ / "model.sculpt"; }

 private:
  std::filesystem::path path_;
  bool force_;
  std::ofstream events_;
};

}  // namespace sculpt::core
