// open_task.hpp - the components and the training examples of an experiment, for TaskBatch.
//
// Held by library/batch_task.cpp. The constructor throws as the commands of the program do, with
// places such as "experiment:3:14".
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "batch/task_batch.hpp"
#include "experiment/lent_splits.hpp"
#include "launch/assembly.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

class OpenTask {
 public:
  struct Options {
    std::string experiment;                          // JSON; "solver" may be missing
    std::string folder;                              // absolute: of its relative paths
    std::vector<std::filesystem::path> plugin_path;  // absolute, before that of the experiment
    int threads = 1;
    // Receives warnings: severity SCULPT_LOG_*. May be empty.
    std::function<void(std::int32_t severity, const std::string& text)> log;
    LentSplits lent;  // of the experiment's splits
  };
  explicit OpenTask(const Options& options);

  TaskBatch& batch() { return *batch_; }
  const TaskBatch& batch() const { return *batch_; }
  // The running call, or the next one, throws Cancelled until proceed(). [signal handler]
  void stop() { is_stopped_ = true; }
  void proceed() { is_stopped_ = false; }

 private:
  std::atomic<bool> is_stopped_ = false;
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<Problem> problem_;
  std::unique_ptr<TaskBatch> batch_;
};

}  // namespace sculpt::core
