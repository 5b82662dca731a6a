#include "batch/handle_use.hpp"

#include <unistd.h>

#include "batch/graph_arrays.hpp"

namespace sculpt::core {

HandleUse::HandleUse() : process_(getpid()), thread_(std::this_thread::get_id()) {}

bool HandleUse::is_of_this_process() const {
  return getpid() == process_;
}

std::unique_lock<std::mutex> HandleUse::enter(const char* function, const std::string& serial) {
  if (!is_of_this_process()) {
    refuse_call(function,
                "the batch was opened by the parent of this process; open one after "
                "fork()");
  }
  if (!serial.empty() && thread_ != std::this_thread::get_id()) {
    refuse_call(function, serial +
                              " is not thread-safe; call it on the thread that opened the "
                              "batch");
  }
  return std::unique_lock(turn_);
}

}  // namespace sculpt::core
