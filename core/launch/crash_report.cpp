#include "launch/crash_report.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

#include "base/file/plain_file.hpp"
#include "base/open_calls.hpp"
#include "base/signal_message.hpp"
#include "base/text/message_text.hpp"
#include "problem/plugin/fenced_pages.hpp"

namespace sculpt::core {
namespace {

struct CrashSignal {
  int number;
  const char* name;
  struct sigaction previous_action;
};
std::array<CrashSignal, 5> crash_signals{{{SIGSEGV, "SIGSEGV", {}},
                                          {SIGBUS, "SIGBUS", {}},
                                          {SIGFPE, "SIGFPE", {}},
                                          {SIGILL, "SIGILL", {}},
                                          {SIGABRT, "SIGABRT", {}}}};

std::array<char, 1024> advice = {};  // ends with 0
bool advice_is_complete = false;
std::array<char, 128> place = {};  // ends with 0; "rank 1 of 4 on machine7: ", or empty
bool reraises_signals = false;
bool host_may_exit = false;
bool is_installed = false;
int events_file = -1;  // open for appending

// All following functions run in a signal handler.

// "viterbi: example 17: crashed in argmax (SIGSEGV)". `signal`: nullptr if the plugin called
// exit(). `address`: where the fault was, or nullptr.
void add_crash(SignalMessage& message, const CurrentCall& call, const char* signal,
               const void* address) {
  message.add_location(call.component, call.example);
  message.add(signal != nullptr ? "crashed in " : "ended the process in ");
  message.add(call.function);
  if (signal == nullptr) return;
  message.add(" (");
  message.add(signal);
  message.add(")");
  if (const auto fault = FencedPages::fault_at(address)) {
    message.add(fault->before);
    message.add(fault->name);
    message.add(fault->after);
  }
}

void append_failed_event(const SignalMessage& what, int exit) {
  if (events_file < 0) return;
  SignalMessage event;  // names of components and functions need no escapes
  event.add("{\"event\":\"failed\",\"exit\":");
  event.add(exit);
  event.add(",\"message\":\"");
  event.add(what.text());
  event.add("\"}\n");
  event.write(events_file);
}

// Writes "sculpt: <what><help>" to stderr, and the event to the events file.
void write_report(const SignalMessage& what, const SignalMessage& help, int exit) {
  SignalMessage message;
  message.add("\nsculpt: ");
  message.add(place.data());
  message.add(what.text());
  message.add(help.text());
  message.add("\n");
  message.write(STDERR_FILENO);
  append_failed_event(what, exit);
}

void report_plugin_crash(const CurrentCall& call, const char* signal, const void* address) {
  SignalMessage what;
  add_crash(what, call, signal, address);
  SignalMessage help;
  help.add(advice.data());
  if (advice_is_complete && call.example >= 0) {
    help.add(" --example ");
    help.add(call.example);
  }
  write_report(what, help, static_cast<int>(Exit::plugin));
}

// The calls of all threads. If a thread of a plugin crashes, the call that waits for it shows more.
void add_running_calls(SignalMessage& message) {
  const char* separator = "; running calls: ";
  for (const OpenCall& slot : OpenCalls::slots()) {
    const char* const component = slot.component.load();
    if (component == nullptr) continue;
    message.add(separator);
    message.add_location(component, slot.example);
    message.add(slot.function.load());
    separator = ", ";
  }
}

// The report for a thread that a plugin may have started.
void report_unknown_thread_crash(const char* what_happened, const char* signal, int exit) {
  SignalMessage what;
  what.add(what_happened);
  if (signal != nullptr) {
    what.add(" (");
    what.add(signal);
    what.add(")");
  }
  what.add(
      " outside of all calls, on a thread that has called no plugin; a plugin may have started it");
  add_running_calls(what);
  SignalMessage help;
  help.add(advice.data());
  write_report(what, help, exit);
}

// The report for a crash of the host. Memory that a plugin has overwritten often causes a later
// crash.
void report_host_crash(const CurrentCall& last, const char* signal, int exit) {
  SignalMessage what;
  what.add("crashed outside of plugins (");
  what.add(signal);
  what.add("); the last call into a plugin was ");
  what.add(last.component);
  what.add(" ");
  what.add(last.function);
  if (last.example >= 0) {
    what.add(", example ");
    what.add(last.example);
  }
  SignalMessage help;
  help.add(
      ". The plugin may have overwritten memory of the host; build it with -fsanitize=address to "
      "find out. If it has not, this is a bug of sculpt");
  write_report(what, help, exit);
}

void on_crash(int number, siginfo_t* info, void*) {
  const auto* const signal =
      std::find_if(crash_signals.begin(), crash_signals.end(),
                   [&](const CrashSignal& entry) { return entry.number == number; });
  if (current_call.component != nullptr) {
    report_plugin_crash(current_call, signal->name, number == SIGSEGV ? info->si_addr : nullptr);
    if (!reraises_signals) _exit(static_cast<int>(Exit::plugin));
    std::signal(number, SIG_DFL);
    std::raise(number);  // delivered when this handler returns
    return;
  }
  const int exit = 128 + number;
  if (last_call.component != nullptr) {
    report_host_crash(last_call, signal->name, exit);
  } else {
    report_unknown_thread_crash("crashed", signal->name, exit);
  }
  // The previous handler gets the signal when the fault repeats, or when abort() continues.
  sigaction(number, &signal->previous_action, nullptr);
}

// Without this, the exit code of the plugin would look like that of the command.
void on_exit() {
  if (host_may_exit) return;
  if (current_call.component != nullptr) {
    report_plugin_crash(current_call, nullptr, nullptr);
  } else {
    report_unknown_thread_crash("the process was ended", nullptr, static_cast<int>(Exit::plugin));
  }
  if (!reraises_signals) _exit(static_cast<int>(Exit::plugin));
}

}  // namespace

void install_crash_handlers() {
  struct sigaction action = {};
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (CrashSignal& signal : crash_signals) {
    sigaction(signal.number, &action, &signal.previous_action);
  }
  std::atexit(on_exit);
  is_installed = true;
}

void log_crashes_to(const std::filesystem::path& path) {
  if (!is_installed) return;
  if (events_file >= 0) ::close(events_file);
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | no_link_flags));
  events_file = is_plain_file(file.number()) ? file.release() : -1;
}

void reraise_crash_signals() {
  reraises_signals = true;
}

Failure with_advice(const Failure& failure, const std::string& advice) {
  if (advice.empty()) return failure;
  const std::int64_t example = failure.faulty_example().value_or(-1);
  const std::string option = example < 0 ? "" : " --example " + std::to_string(example);
  Failure changed(failure.exit_code(), failure.what(), advice + option);
  if (failure.faulty_example()) changed.set_faulty_example(example);
  return changed;
}

void allow_exit() {
  host_may_exit = true;
}

void set_crash_place(const std::string& name) {
  if (!is_installed) return;
  const std::string text = printable(name) + ": ";
  place = {};
  std::copy_n(text.begin(), std::min(text.size(), place.size() - 1), place.begin());
}

void set_crash_advice(const std::string& advice_text) {
  if (!is_installed) return;
  const std::string text = printable_lines(advice_text);
  advice = {};
  std::size_t size = text.size();
  advice_is_complete = size < advice.size();
  // Whole lines only: a cut command would do something else.
  if (!advice_is_complete) size = text.rfind('\n', advice.size() - 1);
  if (size != std::string::npos) std::copy_n(text.begin(), size, advice.begin());
}

}  // namespace sculpt::core
