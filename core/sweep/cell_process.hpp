// cell_process.hpp - `sculpt` as a child process.
//
// Made by CellRunner. What a plugin does there, it does to that cell alone. The child is in a
// process group of its own, so that Ctrl-C reaches it through us alone, and dies with us. Linux.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sculpt::core {

struct ProcessEnd {
  int exit = 0;                 // exit code, 128 + signal where there was one
  std::int64_t peak_bytes = 0;  // the most memory it had
};

class CellProcess {
 public:
  static constexpr const char* this_binary = "/proc/self/exe";

  // `sculpt WORDS...`, which is `binary`; what it prints goes to `log`, or where it goes here when
  // that is empty. Throws Failure(Exit::internal) when there can be no child.
  CellProcess(const std::vector<std::string>& words, const std::filesystem::path& log,
              const std::filesystem::path& binary = this_binary);
  // Kills it if it runs.
  ~CellProcess();
  CellProcess(const CellProcess&) = delete;
  CellProcess& operator=(const CellProcess&) = delete;

  // TERM: it leaves a checkpoint.
  void ask_to_stop() const;
  // How it ended, once; nothing: it runs.
  std::optional<ProcessEnd> poll();
  std::int64_t resident_bytes() const;

 private:
  pid_t id_;  // -1: it has ended
};

}  // namespace sculpt::core
