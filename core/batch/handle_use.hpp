// handle_use.hpp - who may use a handle that has threads: one caller at a time, of one process.
//
// Held by Batch and TaskBatch.
#pragma once

#include <mutex>
#include <string>
#include <thread>

namespace sculpt::core {

class HandleUse {
 public:
  HandleUse();
  // False in a child process of the one that made this. The threads exist only there.
  bool is_of_this_process() const;
  // Returns the turn of a call, and waits for it. `serial`: the name of a component that is not
  // thread-safe, "" if all are. Throws Failure(Exit::usage) in another process, and with `serial`
  // on another thread.
  std::unique_lock<std::mutex> enter(const char* function, const std::string& serial);

 private:
  const int process_;
  const std::thread::id thread_;
  std::mutex turn_;
};

}  // namespace sculpt::core
