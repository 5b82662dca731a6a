// sculpt_process.hpp - `sculpt` as a child process.
//
// Made by CellRunner, and for --best. What a plugin does there, it does to that cell alone. The
// child is in a process group of its own, so that Ctrl-C reaches it through us alone, and dies with
// us. Linux.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/process_memory.hpp"

namespace sculpt::core {

struct ProcessExit {
  int exit = 0;                 // exit code, 128 + signal where there was one
  std::int64_t peak_bytes = 0;  // the most memory it had
};

// From here on the kernel keeps how a child ended until poll() asks: a parent that does not want to
// know that of its own children has us ignore SIGCHLD, too, and then it is lost.
void restore_child_signal();

class CellProcess {
 public:
  static constexpr const char* this_binary = "/proc/self/exe";
  static constexpr auto poll_every = std::chrono::milliseconds(20);

  // `sculpt WORDS...`, which is `binary`; what it prints goes to `log`, or where it goes here when
  // that is empty. Throws Failure(Exit::memory) when there can be no child.
  CellProcess(const std::vector<std::string>& words, const std::filesystem::path& log,
              const std::filesystem::path& binary = this_binary);
  // Kills it if it runs.
  ~CellProcess();
  CellProcess(const CellProcess&) = delete;
  CellProcess& operator=(const CellProcess&) = delete;

  // TERM: it leaves a checkpoint.
  void ask_to_stop() const;
  // How it ended, once; nothing: it runs. Throws Failure(Exit::internal) when it has ended and
  // nobody knows how: without restore_child_signal().
  std::optional<ProcessExit> poll();
  // Until it has ended; asks it to when `stopping` says so. Nothing: it was asked. Throws likewise.
  std::optional<ProcessExit> wait(const std::function<bool()>& stopping);
  ProcessMemory memory() const;

 private:
  pid_t id_;  // -1: it has ended
};

}  // namespace sculpt::core
