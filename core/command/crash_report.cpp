#include "command/crash_report.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

#include "command/signal_message.hpp"
#include "failure.hpp"
#include "problem/current_call.hpp"

namespace sculpt::core {
namespace {

struct Crash {
  int signal;
  const char* name;
  struct sigaction before;
};
std::array<Crash, 5> crashes{{{SIGSEGV, "SIGSEGV", {}},
                              {SIGBUS, "SIGBUS", {}},
                              {SIGFPE, "SIGFPE", {}},
                              {SIGILL, "SIGILL", {}},
                              {SIGABRT, "SIGABRT", {}}}};

std::array<char, 1024> advice = {};
bool crashes_kill = false;
int events = -1;  // open for appending

// What follows runs in a signal handler.

// "viterbi: example 17: crashed in argmax (SIGSEGV)"; `signal` nullptr: it called exit().
void add_blame(SignalMessage& message, const CurrentCall& call, const char* signal) {
  message.add_place(call.component, call.example);
  message.add(signal != nullptr ? "crashed in " : "ended the process in ");
  message.add(call.function);
  if (signal == nullptr) return;
  message.add(" (");
  message.add(signal);
  message.add(")");
}

void blame(const CurrentCall& call, const char* signal) {
  SignalMessage message;
  message.add("\nsculpt: ");
  add_blame(message, call, signal);
  message.add(advice.data());
  if (advice[0] != '\0' && call.example >= 0) {
    message.add(" --example ");
    message.add(call.example);
  }
  message.add("\n");
  message.write(STDERR_FILENO);
  if (events < 0) return;
  SignalMessage event;  // names of components and functions need no escapes
  event.add("{\"event\":\"failed\",\"exit\":69,\"message\":\"");
  add_blame(event, call, signal);
  event.add("\"}\n");
  event.write(events);
}

// Memory that a plugin has overwritten often breaks what comes after it.
void tell_of_host(const CurrentCall& last, const char* signal) {
  SignalMessage message;
  message.add("\nsculpt: crashed outside of plugins (");
  message.add(signal);
  message.add("); the last call into one was ");
  message.add(last.component);
  message.add(" ");
  message.add(last.function);
  if (last.example >= 0) {
    message.add(", example ");
    message.add(last.example);
  }
  message.add(
      ". If it writes where it may not: build it with -fsanitize=address. If it does not, this is "
      "a "
      "bug of sculpt\n");
  message.write(STDERR_FILENO);
}

void on_crash(int number) {
  const auto* const crash = std::find_if(crashes.begin(), crashes.end(),
                                         [&](const Crash& one) { return one.signal == number; });
  if (current_call.component != nullptr) {
    blame(current_call, crash->name);
    if (!crashes_kill) _exit(static_cast<int>(Exit::plugin));
    std::signal(number, SIG_DFL);
    std::raise(number);  // taken when this handler returns
    return;
  }
  if (last_call.component != nullptr) tell_of_host(last_call, crash->name);
  // Whoever was in charge before gets the signal when the fault repeats, or abort() goes on.
  sigaction(number, &crash->before, nullptr);
}

// The exit code of a plugin would pass for that of the command.
void on_exit() {
  if (current_call.component == nullptr) return;
  blame(current_call, nullptr);
  if (!crashes_kill) _exit(static_cast<int>(Exit::plugin));
}

}  // namespace

void report_crashes() {
  struct sigaction action = {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (Crash& crash : crashes) sigaction(crash.signal, &action, &crash.before);
  std::atexit(on_exit);
}

void log_crashes_to(const std::filesystem::path& path) {
  if (events >= 0) ::close(events);
  events = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

void let_crashes_kill() {
  crashes_kill = true;
}

void set_crash_advice(const std::string& text) {
  advice = {};
  const std::size_t size = std::min(text.size(), advice.size() - 1);
  std::copy_n(text.begin(), size, advice.begin());
}

}  // namespace sculpt::core
