#include "sweep/runs/sculpt_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/signal_message.hpp"

namespace sculpt::core {
namespace {

// Runs between fork and exec, so it uses system calls only. Never returns.
[[noreturn]] void become(const char* binary, char* const* words, const char* log, pid_t parent,
                         const sigset_t& mask) {
  ::setpgid(0, 0);
  std::signal(SIGTERM, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(static_cast<int>(Exit::internal));  // it died before prctl()
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  if (*log != '\0') {
    const int file = ::open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
      const bool too_many = is_out_of_files(errno);
      SignalMessage message;
      message.add("sculpt: ");
      message.add(log);
      message.add(": cannot be opened: ");
      message.add(::strerrordesc_np(errno));
      message.add(too_many ? "; raise ulimit -n\n" : "\n");
      message.write(STDERR_FILENO);
      ::_exit(static_cast<int>(too_many ? Exit::memory : Exit::write));
    }
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
  }
  ::execv(binary, words);
  ::_exit(static_cast<int>(Exit::internal));
}

}  // namespace

void restore_child_signal() {
  std::signal(SIGCHLD, SIG_DFL);
}

CellProcess::CellProcess(const std::vector<std::string>& words, const std::filesystem::path& log,
                         const std::filesystem::path& binary) {
  std::vector<std::string> copies{"sculpt"};
  copies.insert(copies.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& word : copies) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid();
  // SIGTERM is blocked until the child has removed our handler. Otherwise the handler would take
  // the signal, and the program after exec would not see it.
  sigset_t request = {};
  sigset_t mask = {};
  sigemptyset(&request);
  sigaddset(&request, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &request, &mask);
  id_ = ::fork();
  if (id_ == 0) become(binary.c_str(), pointers.data(), log.c_str(), parent, mask);
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);  // does not change errno
  if (id_ < 0) {
    throw Failure(Exit::memory, "there can be no further process" + system_reason(),
                  "\n  try fewer --threads");
  }
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

std::optional<ProcessExit> CellProcess::poll() {
  int status = 0;
  rusage usage = {};
  pid_t ended = 0;
  do {
    ended = ::wait4(id_, &status, WNOHANG, &usage);
  } while (ended < 0 && errno == EINTR);
  if (ended == 0) return std::nullopt;
  const pid_t id = std::exchange(id_, -1);  // after this the id may belong to another process
  if (ended < 0) {
    throw Failure(Exit::internal, "process " + std::to_string(id) +
                                      " has ended, and how is not known: " + std::strerror(errno) +
                                      "; --resume goes on");
  }
  constexpr std::int64_t unit = 1024;  // ru_maxrss of Linux is in KiB
  return ProcessExit{WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                     usage.ru_maxrss * unit};
}

std::optional<ProcessExit> CellProcess::wait(const std::function<bool()>& stopping) {
  bool asked = false;
  for (;;) {
    if (!asked && stopping()) {
      asked = true;
      ask_to_stop();
    }
    if (const auto end = poll()) return asked ? std::nullopt : end;
    std::this_thread::sleep_for(poll_every);
  }
}

ProcessMemory CellProcess::memory() const {
  return process_memory(std::to_string(id_));
}

}  // namespace sculpt::core
