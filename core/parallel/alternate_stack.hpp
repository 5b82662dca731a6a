// alternate_stack.hpp - a stack for the signal handlers of this thread. Without it a stack overflow
// of the thread could not be reported.
//
// Held by main() and by every thread of Workers. It costs address space, and memory only if it is
// used.
#pragma once

namespace sculpt::core {

class AlternateStack {
 public:
  AlternateStack();
  ~AlternateStack();
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

 private:
  void* memory_ = nullptr;  // nullptr: allocation failed, or another stack is in use
};

}  // namespace sculpt::core
