// forked_function.hpp - runs a function in a forked process, with a limit on its time.
//
// What a plugin does there, it does to that process alone: it may crash, hang, leak, print or end
// the process. Requires that the calling process has one thread. Linux.
#pragma once

#include <functional>
#include <string>

namespace sculpt::core {

// The child's end of the line.
class ChildLink {
 public:
  ChildLink(int pipe, char* note) : pipe_(pipe), note_(note) {}

  // Sends a line, which holds no newline, to the parent.
  void send(const std::string& line) const;
  // What the child is about to do, for the case that it never returns from it. Cheap.
  void note(const std::string& what) const;

  static constexpr std::size_t note_size = 512;

 private:
  int pipe_;
  char* note_;  // [note_size], shared with the parent
};

// How a child ended.
struct ChildExit {
  bool late = false;    // killed because a line took longer than allowed
  int signal = 0;       // that ended it, or 0
  int exit_code = 0;    // else
  std::string note;     // the last note
  std::string printed;  // the end of what it wrote to stdout and stderr
  bool sound() const { return !late && signal == 0 && exit_code == 0; }
};

// "SIGSEGV (Segmentation fault)"
std::string signal_text(int signal);

// What may end a child early, for people: "was ended by SIGSEGV ... while it ...".
std::string exit_text(const ChildExit& end);

using ChildBody = std::function<void(const ChildLink& link)>;
using LineSink = std::function<void(const std::string& line)>;
// The seconds that the next line may take after that many; 0: for ever.
using LineLimit = std::function<double(int lines)>;

// Runs `body` in a child, hands its lines to `sink` as they come, and waits for its end. What the
// child and its children write to stdout and stderr is kept for ChildExit. Throws
// Failure(Exit::memory) when there can be no child.
ChildExit run_in_child(const ChildBody& body, const LineLimit& limit, const LineSink& sink);

}  // namespace sculpt::core
