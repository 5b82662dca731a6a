#include "sweep/cell_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "failure.hpp"
#include "run/process_memory.hpp"

namespace sculpt::core {
namespace {

// Between fork and exec: nothing but system calls. Never returns.
[[noreturn]] void become(const char* binary, char* const* words, const char* log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(static_cast<int>(Exit::internal));  // it died before that
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  if (*log != '\0') {
    const int file = ::open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) ::_exit(static_cast<int>(Exit::write));
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
  }
  ::execv(binary, words);
  ::_exit(static_cast<int>(Exit::internal));
}

}  // namespace

CellProcess::CellProcess(const std::vector<std::string>& words, const std::filesystem::path& log,
                         const std::filesystem::path& binary) {
  std::vector<std::string> copies{"sculpt"};
  copies.insert(copies.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& word : copies) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ < 0) {
    throw Failure(Exit::internal, std::string("there can be no further process: ") +
                                      std::strerror(errno) + "; try fewer --threads");
  }
  if (id_ == 0) become(binary.c_str(), pointers.data(), log.c_str(), parent);
}

CellProcess::~CellProcess() {
  if (id_ < 0) return;
  ::kill(id_, SIGKILL);
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
}

void CellProcess::ask_to_stop() const {
  if (id_ >= 0) ::kill(id_, SIGTERM);
}

std::optional<ProcessEnd> CellProcess::poll() {
  int status = 0;
  rusage usage = {};
  if (::wait4(id_, &status, WNOHANG, &usage) != id_) return std::nullopt;
  id_ = -1;
  constexpr std::int64_t unit = 1024;  // Linux counts in KiB
  return ProcessEnd{WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                    usage.ru_maxrss * unit};
}

std::int64_t CellProcess::resident_bytes() const {
  return process_memory(std::to_string(id_)).resident;
}

}  // namespace sculpt::core
