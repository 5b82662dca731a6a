// alternate_stack.hpp - a stack for the signal handlers of this thread: without it nobody could
// report that the thread's own has overflowed.
//
// Held by main() and by every thread of Workers. Costs address space; memory only when it is used.
#pragma once

namespace sculpt::core {

class AlternateStack {
 public:
  AlternateStack();
  ~AlternateStack();
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

 private:
  void* memory_ = nullptr;  // nullptr: there was none to be had, or another one is in place
};

}  // namespace sculpt::core
