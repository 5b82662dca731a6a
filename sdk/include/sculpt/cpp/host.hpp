// host.hpp - the services of the host.
//
// SPDX-License-Identifier: Apache-2.0
//
// For all plugins: their constructors get a Host. A host may lack any service. These calls then do
// nothing, or run tasks in order.
#pragma once

#include <string>

#include "../ext/host.h"
#include "error.hpp"

namespace sculpt {

class Host {
 public:
  explicit Host(const sculpt_host* raw)
      : raw_(raw),
        log_(service<sculpt_host_log>(SCULPT_HOST_LOG)),
        cancel_(service<sculpt_host_cancel>(SCULPT_HOST_CANCEL)),
        progress_(service<sculpt_host_progress>(SCULPT_HOST_PROGRESS)),
        parallel_(service<sculpt_host_parallel>(SCULPT_HOST_PARALLEL)) {}

  void log(const std::string& text) const { log(SCULPT_LOG_INFO, text); }
  void warn(const std::string& text) const { log(SCULPT_LOG_WARNING, text); }
  void debug(const std::string& text) const { log(SCULPT_LOG_DEBUG, text); }

  // True if the user asked to stop. throw_if_cancelled() throws E_CANCELLED in that case.
  bool cancelled() const { return cancel_ != nullptr && cancel_->cancelled(raw_) != 0; }
  void throw_if_cancelled() const {
    if (cancelled()) throw Error(SCULPT_E_CANCELLED, "stopped");
  }
  // `total` 0 means unknown.
  void progress(const char* phase, std::int64_t done, std::int64_t total) const {
    if (progress_ != nullptr) progress_->progress(raw_, phase, done, total);
  }

  // Runs task(0) .. task(task_count - 1) on the threads of the host and returns when all have
  // ended. For results that do not depend on threads, split the work by its size alone and reduce
  // in the order of the tasks.
  template <class Task>
  void parallel(std::int64_t task_count, Task&& task) const {
    if (parallel_ == nullptr) {
      for (std::int64_t k = 0; k < task_count; ++k) task(k);
      return;
    }
    auto call = [](void* context, std::int64_t k, sculpt_error* error) -> sculpt_status {
      return detail::guarded(error, "a parallel task",
                             [&] { (*static_cast<std::remove_reference_t<Task>*>(context))(k); });
    };
    void* context = const_cast<void*>(static_cast<const void*>(&task));  // a task may be const
    checked_call([&](sculpt_error* error) {
      return parallel_->run(raw_, task_count, call, context, error);
    });
  }

  // For services without a function here (host_source.hpp).
  const sculpt_host* raw() const { return raw_; }

 private:
  template <class Service>
  const Service* service(const char* id) const {
    return raw_ == nullptr ? nullptr : static_cast<const Service*>(raw_->extension(raw_, id));
  }
  void log(std::int32_t severity, const std::string& text) const {
    if (log_ != nullptr) log_->log(raw_, severity, text.c_str());
  }

  const sculpt_host* raw_;
  const sculpt_host_log* log_;
  const sculpt_host_cancel* cancel_;
  const sculpt_host_progress* progress_;
  const sculpt_host_parallel* parallel_;
};

}  // namespace sculpt
