#include "check/system/forked_function.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/open_calls.hpp"
#include "base/stopwatch.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t printed_limit = 600;  // bytes of a child's output that are shown
constexpr int uncaught = 125;                // exit code after an uncaught exception
constexpr int timeout_exit_code = 124;       // exit code of a child that ends itself on request
constexpr double final_report_seconds = 0.2;

[[noreturn]] void no_child(const char* what) {
  throw Failure(Exit::memory, std::string("no process for a test: ") + what + system_reason(),
                "\n  what a process may have: ulimit -a");
}

// Memory that parent and child share.
class SharedNote {
 public:
  SharedNote()
      : bytes_(static_cast<char*>(::mmap(nullptr, ChildLink::note_size, PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    if (bytes_ == MAP_FAILED) no_child("mmap");
  }
  ~SharedNote() { ::munmap(bytes_, ChildLink::note_size); }
  SharedNote(const SharedNote&) = delete;
  SharedNote& operator=(const SharedNote&) = delete;
  char* bytes() const { return bytes_; }
  std::string text() const { return {bytes_, ::strnlen(bytes_, ChildLink::note_size)}; }

 private:
  char* bytes_;
};

class File {
 public:
  explicit File(int number) : number_(number) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// Returns the last bytes of the file that receives a child's stdout and stderr.
std::string end_of(const File& file) {
  const off_t size = ::lseek(file.number(), 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - printed_limit);
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, size - from)), '\0');
  const ssize_t got = ::pread(file.number(), text.data(), text.size(), from);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  return text;
}

// Signal handler of the child. The parent sends the signal before it kills.
void on_overdue(int) {
  print_open_calls("sculpt: ");
  ::_exit(timeout_exit_code);
}

// Ends a child that has exceeded its limit.
void end_after_timeout(pid_t child, int& status) {
  ::kill(child, SIGALRM);
  const Stopwatch watch;
  while (watch.seconds() < final_report_seconds) {
    if (::waitpid(child, &status, WNOHANG) == child) return;
    ::usleep(1000);
  }
  ::kill(child, SIGKILL);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void be_child(const ChildBody& body, int pipe, int output, char* note) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the child ends if the host is killed
  std::signal(SIGALRM, on_overdue);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  int code = 0;
  try {
    body(ChildLink(pipe, note));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    code = uncaught;
  } catch (...) {
    code = uncaught;
  }
  std::fflush(nullptr);
  ::_exit(code);  // the exit handlers belong to the parent
}

// Reads the lines of a pipe as they come.
class LineReader {
 public:
  LineReader(int pipe, const LineLimit& limit, const LineSink& sink)
      : pipe_(pipe), limit_(limit), sink_(sink) {}

  // Reads to the end. Returns false if a line took too long.
  bool read_all() {
    for (;;) {
      if (!wait()) return false;
      std::array<char, 4096> chunk;
      const ssize_t got = ::read(pipe_, chunk.data(), chunk.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return true;
      text_.append(chunk.data(), static_cast<std::size_t>(got));
      take_lines();
    }
  }

 private:
  // Waits for input. Returns false if that takes too long.
  bool wait() {
    for (;;) {
      const double allowed = limit_(lines_);
      const double left = allowed - watch_.seconds();
      if (allowed > 0 && left <= 0) return false;
      pollfd asked = {pipe_, POLLIN, 0};
      const int milliseconds = allowed > 0 ? static_cast<int>(std::min(left, 1e6) * 1000) + 1 : -1;
      if (::poll(&asked, 1, milliseconds) > 0) return true;
    }
  }
  void take_lines() {
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      const std::string line = text_.substr(0, end);
      text_.erase(0, end + 1);
      ++lines_;
      watch_ = Stopwatch();
      sink_(line);
    }
  }

  int pipe_;
  const LineLimit& limit_;
  const LineSink& sink_;
  std::string text_;
  int lines_ = 0;
  Stopwatch watch_;  // since the last line
};

}  // namespace

void ChildLink::send(const std::string& line) const {
  const std::string text = line + "\n";
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t got = ::write(pipe_, text.data() + sent, text.size() - sent);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;  // the parent does not read any more
    sent += static_cast<std::size_t>(got);
  }
}

void ChildLink::note(const std::string& what) const {
  const std::size_t size = std::min(what.size(), note_size - 1);
  std::memcpy(note_, what.data(), size);
  note_[size] = '\0';
}

std::string signal_text(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  const char* const meaning = ::sigdescr_np(signal);
  return (name == nullptr ? "signal " + std::to_string(signal) : "SIG" + std::string(name)) +
         (meaning == nullptr ? "" : " (" + std::string(meaning) + ")");
}

std::string exit_text(const ChildExit& end) {
  std::string text = end.signal != 0
                         ? "was ended by " + signal_text(end.signal)
                         : "ended itself with exit code " + std::to_string(end.exit_code);
  if (!end.note.empty()) text += ", in the middle of: " + end.note;
  return text;
}

ChildExit run_in_child(const ChildBody& body, const LineLimit& limit, const LineSink& sink) {
  SharedNote note;
  const File output(::memfd_create("sculpt-check", MFD_CLOEXEC));
  if (output.number() < 0) no_child("memfd_create");
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) no_child("pipe");
  const File reading(ends[0]);
  File writing(ends[1]);
  std::fflush(nullptr);  // otherwise the child would write it again
  const pid_t child = ::fork();
  if (child < 0) no_child("fork");
  if (child == 0) be_child(body, writing.number(), output.number(), note.bytes());
  writing.close();

  ChildExit end;
  LineReader lines(reading.number(), limit, sink);
  end.late = !lines.read_all();
  int status = 0;
  if (end.late) {
    end_after_timeout(child, status);
  } else {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  end.note = note.text();
  end.printed = end_of(output);
  return end;
}

}  // namespace sculpt::core
