// sculpt_process.hpp - `sculpt` as a child process.
//
// Made by CellRunner, and for --best. A crash of a plugin ends only that cell. The child has its
// own process group, so Ctrl-C reaches it only through this process. It is killed if this process
// ends. Linux.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/host_place.hpp"
#include "base/memory/process_memory.hpp"

namespace sculpt::core {

struct ProcessExit {
  int exit_code = 0;            // 128 + signal if a signal ended it
  std::int64_t peak_bytes = 0;  // its peak memory
};

// Sets SIGCHLD to its default. A parent process may have set it to "ignore". Then the kernel drops
// the exit codes of our children, and poll() cannot read them.
void restore_child_signal();

class CellProcess {
 public:
  static constexpr auto poll_every = std::chrono::milliseconds(20);

  // Starts `sculpt ARGUMENTS...` from `binary`. Its output goes to `log`, or to our output if `log`
  // is empty. Throws Failure(Exit::memory) if no process can be started.
  CellProcess(const std::vector<std::string>& arguments, const std::filesystem::path& log,
              const std::filesystem::path& binary = sculpt_program());
  // Kills the process if it still runs.
  ~CellProcess();
  CellProcess(const CellProcess&) = delete;
  CellProcess& operator=(const CellProcess&) = delete;

  // Sends SIGTERM: the process leaves a checkpoint.
  void request_stop() const;
  // Returns how the process ended, only once; nothing while it runs. Throws
  // Failure(Exit::internal) if it has ended and its exit code was lost, because
  // restore_child_signal() was not called.
  std::optional<ProcessExit> poll();
  // Waits until it has ended. Calls request_stop() when `stop_is_requested` is true; then it
  // returns nothing. Throws as poll().
  std::optional<ProcessExit> wait(const std::function<bool()>& stop_is_requested);
  ProcessMemory memory() const;

 private:
  pid_t id_;  // -1: it has ended
};

}  // namespace sculpt::core
