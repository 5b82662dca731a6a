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
#include <string_view>
#include <thread>
#include <utility>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/file/plain_file.hpp"
#include "base/signal_message.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// Where the output of a child process goes.
struct Log {
  const char* path;   // "": to our output
  const char* shown;  // the path for messages
};

// Opens the file for the output of the child process. Ends the process if that fails.
int open_log_in_child(const Log& log) {
  const int file = ::open(log.path, O_WRONLY | O_CREAT | no_link_flags, 0666);
  const bool is_plain = file >= 0 && is_plain_file(file);
  if (is_plain && ::ftruncate(file, 0) == 0) return file;
  const bool is_system_error = file < 0 || is_plain;
  const bool is_out_of_files_error = is_system_error && is_out_of_files(errno);
  SignalMessage message;
  message.add("sculpt: ");
  message.add(log.shown);
  message.add(": cannot be opened: ");
  message.add(is_system_error ? ::strerrordesc_np(errno) : "it is not a regular file");
  message.add(is_out_of_files_error ? "; raise ulimit -n\n" : "\n");
  message.write(STDERR_FILENO);
  ::_exit(static_cast<int>(is_out_of_files_error ? Exit::memory : Exit::write_failed));
}

// The environment of a child: without what mpirun and srun tell the processes that they start, else
// it would take itself for a rank.
std::vector<char*> environment_of_child() {
  std::vector<char*> kept;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text = *one;
    const bool is_of_mpi =
        text.starts_with("OMPI_") || text.starts_with("PMIX_") || text.starts_with("PMI_");
    if (!is_of_mpi) kept.push_back(*one);
  }
  kept.push_back(nullptr);
  return kept;
}

// What a child is executed with.
struct Program {
  const char* binary;
  char* const* arguments;
  char* const* environment;
};

// Sets up the child process and executes the program. Runs between fork and exec, so it uses system
// calls only. Never returns.
[[noreturn]] void run_in_child(const Program& program, const Log& log, pid_t parent,
                               const sigset_t& mask) {
  ::setpgid(0, 0);
  std::signal(SIGTERM, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(static_cast<int>(Exit::internal));  // it died before prctl()
  const int no_input = ::open("/dev/null", O_RDONLY);
  if (no_input >= 0) ::dup2(no_input, STDIN_FILENO);
  if (*log.path != '\0') {
    const int file = open_log_in_child(log);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
  }
  ::close_range(STDERR_FILENO + 1, ~0U, 0);  // those of MPI, too
  ::execve(program.binary, program.arguments, program.environment);
  ::_exit(static_cast<int>(Exit::internal));
}

}  // namespace

void restore_child_signal() {
  std::signal(SIGCHLD, SIG_DFL);
}

CellProcess::CellProcess(const std::vector<std::string>& arguments,
                         const std::filesystem::path& log, const std::filesystem::path& binary) {
  std::vector<std::string> words{"sculpt"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::vector<char*> environment = environment_of_child();
  const std::string shown_log = printable(log.string());
  const pid_t parent = ::getpid();
  // SIGTERM is blocked until the child has removed our handler. Otherwise the handler would take
  // the signal, and the program after exec would not see it.
  sigset_t stop_signals = {};
  sigset_t mask = {};
  sigemptyset(&stop_signals);
  sigaddset(&stop_signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &stop_signals, &mask);
  id_ = ::fork();
  if (id_ == 0) {
    run_in_child({binary.c_str(), pointers.data(), environment.data()},
                 {log.c_str(), shown_log.c_str()}, parent, mask);
  }
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);  // does not change errno
  if (id_ < 0) {
    throw Failure(Exit::memory, "no further process can be started" + system_reason(),
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

void CellProcess::request_stop() const {
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
                                      " has ended, but its exit code is not known: " +
                                      std::strerror(errno) + "; give --resume to continue");
  }
  constexpr std::int64_t kibibyte = 1024;  // ru_maxrss of Linux is in KiB
  return ProcessExit{WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                     usage.ru_maxrss * kibibyte};
}

std::optional<ProcessExit> CellProcess::wait(const std::function<bool()>& stop_is_requested) {
  bool is_stopping = false;
  for (;;) {
    if (!is_stopping && stop_is_requested()) {
      is_stopping = true;
      request_stop();
    }
    if (const auto result = poll()) return is_stopping ? std::nullopt : result;
    std::this_thread::sleep_for(poll_every);
  }
}

ProcessMemory CellProcess::memory() const {
  return process_memory(std::to_string(id_));
}

}  // namespace sculpt::core
