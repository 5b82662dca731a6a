// fork_safe_mutex.hpp - mutexes of the whole process that a child process can use.
//
// Called by what keeps something for all threads: loaded libraries, sidecars.
#pragma once

#include <pthread.h>

#include <mutex>

namespace sculpt::core {

// The mutex of `Owner`, any type. A child process of fork() does not inherit it locked by a thread
// that it does not have. Never destroyed, as threads may use it while the process exits.
template <class Owner>
std::mutex& fork_safe_mutex() {
  static auto& mutex = *new std::mutex;
  static const int fork_handlers = pthread_atfork([] { fork_safe_mutex<Owner>().lock(); },
                                                  [] { fork_safe_mutex<Owner>().unlock(); },
                                                  [] { fork_safe_mutex<Owner>().unlock(); });
  static_cast<void>(fork_handlers);
  return mutex;
}

}  // namespace sculpt::core
