// outside_tasks.hpp - a call of libsculpt out of a plugin is no part of the task that made it.
//
// Called by library/guarded_call.cpp. Such a call has sessions and pools of its own, so it may use
// Workers although its thread is inside a task of another pool.
#pragma once

namespace sculpt::core {

// While it lives, this thread is inside of no task.
class OutsideTasks {
 public:
  OutsideTasks();
  ~OutsideTasks();
  OutsideTasks(const OutsideTasks&) = delete;
  OutsideTasks& operator=(const OutsideTasks&) = delete;

 private:
  int depth_;  // of tasks around this object
};

}  // namespace sculpt::core
