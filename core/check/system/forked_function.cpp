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
#include <new>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/open_calls.hpp"
#include "base/stopwatch.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_printed_bytes = 600;  // bytes of a child's output that are shown
constexpr int exception_exit_code = 125;         // exit code after an uncaught exception
constexpr int timeout_exit_code = 124;           // exit code of a child that ends itself on request
constexpr double final_report_seconds = 0.2;

[[noreturn]] void fail_to_start(const char* what) {
  throw Failure(Exit::memory,
                std::string("no process for a test can be started: ") + what + system_reason(),
                "\n  to see the limits of a process: ulimit -a");
}

// The activity of a child, in memory that parent and child share.
class SharedActivity {
 public:
  SharedActivity()
      : memory_(::mmap(nullptr, sizeof(Activity), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) fail_to_start("mmap");
    activity_ = new (memory_) Activity();
  }
  ~SharedActivity() { ::munmap(memory_, sizeof(Activity)); }
  SharedActivity(const SharedActivity&) = delete;
  SharedActivity& operator=(const SharedActivity&) = delete;
  Activity* get() const { return activity_; }
  std::string text() const { return {activity_->text, ::strnlen(activity_->text, Activity::size)}; }
  std::string open_component() const {
    return {activity_->open_component, ::strnlen(activity_->open_component, Activity::name_size)};
  }
  double open_seconds() const { return activity_->open_seconds; }

 private:
  void* memory_;
  Activity* activity_ = nullptr;
};

class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int number) : number_(number) {}
  ~OwnedDescriptor() { close(); }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// Returns the last bytes of the file that receives a child's stdout and stderr.
std::string last_output(const OwnedDescriptor& file) {
  const off_t size = ::lseek(file.number(), 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - max_printed_bytes);
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, size - from)), '\0');
  const ssize_t count = ::pread(file.number(), text.data(), text.size(), from);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  return text;
}

Activity* own_activity = nullptr;  // of the child, for its signal handler

// Writes which of the open calls of all threads is the longest one. [signal handler]
void store_longest_call(Activity& activity) {
  for (const OpenCall& call : OpenCalls::slots()) {
    const char* const component = call.component.load();
    const double seconds = component == nullptr ? 0 : OpenCalls::seconds_of(call);
    if (seconds <= activity.open_seconds) continue;
    const std::size_t size = std::min(std::strlen(component), Activity::name_size - 1);
    std::memcpy(activity.open_component, component, size);
    activity.open_component[size] = '\0';
    activity.open_seconds = seconds;
  }
}

// Signal handler of the child. The parent sends the signal before it kills.
void on_overdue(int) {
  store_longest_call(*own_activity);
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

// Runs the body in the child process and ends the process.
[[noreturn]] void run_as_child(const ChildBody& body, int pipe, int output, Activity* activity) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the child ends if the host is killed
  own_activity = activity;
  OpenCalls::keep_times();
  std::signal(SIGALRM, on_overdue);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  int code = 0;
  try {
    body(ChildLink(pipe, activity));
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    code = exception_exit_code;
  } catch (...) {
    code = exception_exit_code;
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
      if (!wait_for_input()) return false;
      std::array<char, 4096> chunk;
      const ssize_t count = ::read(pipe_, chunk.data(), chunk.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return true;
      text_.append(chunk.data(), static_cast<std::size_t>(count));
      pass_lines();
    }
  }

 private:
  // Waits for input. Returns false if that takes too long.
  bool wait_for_input() {
    for (;;) {
      const double limit = limit_(lines_);
      const double remaining = limit - watch_.seconds();
      if (limit > 0 && remaining <= 0) return false;
      pollfd request = {pipe_, POLLIN, 0};
      const int milliseconds =
          limit > 0 ? static_cast<int>(std::min(remaining, 1e6) * 1000) + 1 : -1;
      if (::poll(&request, 1, milliseconds) > 0) return true;
    }
  }
  void pass_lines() {
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
    const ssize_t count = ::write(pipe_, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the parent does not read any more
    sent += static_cast<std::size_t>(count);
  }
}

void ChildLink::set_activity(const std::string& what) const {
  const std::size_t size = std::min(what.size(), Activity::size - 1);
  std::memcpy(activity_->text, what.data(), size);
  activity_->text[size] = '\0';
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
  if (!end.activity.empty()) text += ", in the middle of: " + end.activity;
  return text;
}

ChildExit run_in_child(const ChildBody& body, const LineLimit& limit, const LineSink& sink) {
  const SharedActivity activity;
  const OwnedDescriptor output(::memfd_create("sculpt-check", MFD_CLOEXEC));
  if (output.number() < 0) fail_to_start("memfd_create");
  std::array<int, 2> pipe_ends;
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) fail_to_start("pipe");
  const OwnedDescriptor read_end(pipe_ends[0]);
  OwnedDescriptor write_end(pipe_ends[1]);
  std::fflush(nullptr);  // otherwise the child would write it again
  const pid_t child = ::fork();
  if (child < 0) fail_to_start("fork");
  if (child == 0) run_as_child(body, write_end.number(), output.number(), activity.get());
  write_end.close();

  ChildExit end;
  LineReader lines(read_end.number(), limit, sink);
  end.has_timed_out = !lines.read_all();
  int status = 0;
  if (end.has_timed_out) {
    end_after_timeout(child, status);
  } else {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  end.activity = activity.text();
  end.open_component = activity.open_component();
  end.open_seconds = activity.open_seconds();
  end.printed = last_output(output);
  return end;
}

}  // namespace sculpt::core
