#include "problem/plugin/services.hpp"

#include <exception>
#include <new>
#include <sculpt/cpp/error.hpp>
#include <utility>

#include "base/cancelled.hpp"
#include "problem/plugin/component.hpp"
#include "problem/plugin/source_service.hpp"
#include "problem/plugin/storage_service.hpp"
#include "problem/plugin/sum_service.hpp"

namespace sculpt::core {

namespace {

// The plugin calls these functions, perhaps from C, so no exception may leave them. If showing a
// message fails, the message is lost and the call continues.
void host_log(const sculpt_host* host, std::int32_t severity, const char* text) noexcept {
  try {
    const HostLink& link = HostLink::of(host);
    link.services().log(severity, link.component() + ": " + (text == nullptr ? "" : text));
  } catch (...) {
  }
}

std::int32_t host_cancelled(const sculpt_host* host) noexcept {
  try {
    return HostLink::of(host).services().cancelled() ? 1 : 0;
  } catch (...) {
    return 0;
  }
}

void host_progress(const sculpt_host* host, const char* phase, std::int64_t done,
                   std::int64_t total) noexcept {
  try {
    const HostLink& link = HostLink::of(host);
    link.services().progress(link.component(), phase == nullptr ? "" : phase, done, total);
  } catch (...) {
  }
}

// Runs every task, also after one failed, as ext/host.h promises. Returns the error of the first
// failed task by number.
sculpt_status run_tasks(const sculpt_host* host, std::int64_t task_count, sculpt_task task,
                        void* context, sculpt_error* error) {
  std::mutex mutex;
  std::int64_t failed = task_count;
  sculpt_status failed_status = SCULPT_OK;
  std::string failed_text;
  const CurrentCall calling = current_call;
  HostLink::of(host).services().workers().run_nested(task_count, [&](std::int64_t number) {
    const CallScope scope(calling);  // on the thread of the task
    ErrorBuffer text;
    const sculpt_status status = task(context, number, text.raw());
    if (status == SCULPT_OK) return;
    const std::lock_guard<std::mutex> lock(mutex);
    if (number >= failed) return;
    failed = number;
    failed_status = status;
    failed_text = text.text();
  });
  if (failed_status != SCULPT_OK) detail::write_error(error, failed_text);
  return failed_status;
}

sculpt_status host_run(const sculpt_host* host, std::int64_t task_count, sculpt_task task,
                       void* context, sculpt_error* error) noexcept {
  if (task_count < 0 || task == nullptr) {
    detail::write_error(error, "parallel: a negative number of tasks, or no task");
    return SCULPT_E_INVALID;
  }
  try {
    return run_tasks(host, task_count, task, context, error);
  } catch (const std::bad_alloc&) {
    detail::write_error(error, "parallel: the host is out of memory");
    return SCULPT_E_MEMORY;
  } catch (const std::exception& exception) {
    detail::write_error(error, exception.what());
    return SCULPT_E_INTERNAL;
  } catch (...) {
    detail::write_error(error, "parallel: a task threw something that is not a std::exception");
    return SCULPT_E_INTERNAL;
  }
}

constexpr sculpt_host_log log_service = {host_log};
constexpr sculpt_host_cancel cancel_service = {host_cancelled};
constexpr sculpt_host_progress progress_service = {host_progress};
constexpr sculpt_host_parallel parallel_service = {host_run};

const void* find_service(const sculpt_host*, const char* id) {
  if (id == nullptr) return nullptr;
  const std::string_view wanted(id);
  if (wanted == SCULPT_HOST_LOG) return &log_service;
  if (wanted == SCULPT_HOST_CANCEL) return &cancel_service;
  if (wanted == SCULPT_HOST_PROGRESS) return &progress_service;
  if (wanted == SCULPT_HOST_PARALLEL) return &parallel_service;
  if (wanted == SCULPT_HOST_SOURCE) return &source_service();
  if (wanted == SCULPT_HOST_STORAGE) return &storage_service();
  if (wanted == SCULPT_HOST_SUM) return &sum_service();
  return nullptr;
}

}  // namespace

Services::Services(Callbacks callbacks, Workers& workers, Guard guard)
    : callbacks_(std::move(callbacks)), workers_(workers), guard_(guard) {}

void Services::log(std::int32_t severity, const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (callbacks_.log) callbacks_.log(severity, text);
}

void Services::progress(const std::string& component, const std::string& phase, std::int64_t done,
                        std::int64_t total) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (callbacks_.progress) callbacks_.progress(component, phase, done, total);
}

void Services::throw_if_cancelled() const {
  if (cancelled()) throw Cancelled();
}

HostLink::HostLink(std::string component, Services& services)
    : component_(std::move(component)),
      services_(services),
      raw_{sizeof(sculpt_host),
           {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
           this,
           SCULPT_VERSION,
           find_service} {}

}  // namespace sculpt::core
