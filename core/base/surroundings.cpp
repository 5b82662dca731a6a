#include "base/surroundings.hpp"

#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace sculpt::core {
namespace {

class ProcessSurroundings : public Surroundings {
 public:
  std::ostream& out() override { return std::cout; }
  std::ostream& error() override { return std::cerr; }
  void print_message(std::string_view text) override {
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  bool out_is_terminal() const override { return ::isatty(STDOUT_FILENO) == 1; }
  bool messages_are_terminal() const override { return ::isatty(STDERR_FILENO) == 1; }
  StopFlag& stop_flag() override { return stop_flag_of_process; }
};

thread_local Surroundings* surroundings_of_thread = nullptr;  // nullptr: those of the process

}  // namespace

Surroundings& surroundings_of_process() {
  static ProcessSurroundings process;
  return process;
}

Surroundings& surroundings() {
  return surroundings_of_thread != nullptr ? *surroundings_of_thread : surroundings_of_process();
}

ScopedSurroundings::ScopedSurroundings(Surroundings& here) : outer_(surroundings_of_thread) {
  surroundings_of_thread = &here;
}

ScopedSurroundings::~ScopedSurroundings() {
  surroundings_of_thread = outer_;
}

bool stop_requested() {
  return surroundings().stop_is_requested();
}

std::function<bool()> stop_request() {
  return [&here = surroundings()] { return here.stop_is_requested(); };
}

void clear_stop_request() {
  surroundings().clear_stop_request();
}

bool consume_checkpoint_request() {
  return surroundings().stop_flag().consume_checkpoint_request();
}

}  // namespace sculpt::core
