// forked_function.hpp - runs a function in a forked process, with a time limit.
//
// A plugin can harm only that process: it may crash, hang, leak, print or end the process. Requires
// that the calling process has one thread. Linux. Called by fork_server, test_process and
// unlisted_libraries.
#pragma once

#include <functional>
#include <string>

namespace sculpt::core {

// What a child does, in memory that it shares with its parent.
struct Activity {
  static constexpr std::size_t size = 512;
  char text[size];
  // Set at the end of its time: the component of its longest open call, and how long it is open.
  static constexpr std::size_t name_size = 128;
  char open_component[name_size];
  double open_seconds;
};

// Sends messages from the child to its parent.
class ChildLink {
 public:
  ChildLink(int pipe, Activity* activity) : pipe_(pipe), activity_(activity) {}

  // Sends a line to the parent. The line must not contain a newline.
  void send(const std::string& line) const;
  // Records what the child does next, in case it never returns. Cheap.
  void set_activity(const std::string& what) const;

 private:
  int pipe_;
  Activity* activity_;  // shared with the parent
};

// How a child ended.
struct ChildExit {
  bool has_timed_out = false;  // Killed: a line took longer than allowed.
  int signal = 0;              // The signal that ended it, or 0.
  int exit_code = 0;           // Its exit code if no signal ended it.
  std::string activity;        // What it did last, by set_activity().
  // If it has timed out inside of calls to plugins: the component of the longest one, and how long
  // this call was open.
  std::string open_component;
  double open_seconds = 0;
  std::string printed;  // The last bytes that it wrote to stdout and stderr.
  bool has_succeeded() const { return !has_timed_out && signal == 0 && exit_code == 0; }
};

// Returns "SIGSEGV (Segmentation fault)".
std::string signal_text(int signal);

// Returns how a child ended early, for people: "was ended by SIGSEGV ..., in the middle of: ...".
std::string exit_text(const ChildExit& end);

using ChildBody = std::function<void(const ChildLink& link)>;
using LineSink = std::function<void(const std::string& line)>;
// Returns the seconds until the next line after `lines` lines. 0: no limit.
using LineLimit = std::function<double(int lines)>;

// Runs `body` in a child, passes its lines to `sink` as they come, and waits for its end. ChildExit
// has what the child and its children wrote to stdout and stderr. Throws Failure(Exit::memory) if
// no child can be started.
ChildExit run_in_child(const ChildBody& body, const LineLimit& limit, const LineSink& sink);

}  // namespace sculpt::core
