#include "problem/services.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cancelled.hpp"
#include "problem/component.hpp"

namespace sculpt::core {

namespace {

const HostLink& link_of(const sculpt_host* host) {
  return *static_cast<const HostLink*>(host->self);
}

void host_log(const sculpt_host* host, std::int32_t severity, const char* text) {
  const HostLink& link = link_of(host);
  link.services().log(severity, link.component() + ": " + (text == nullptr ? "" : text));
}

std::int32_t host_cancelled(const sculpt_host* host) {
  return link_of(host).services().cancelled() ? 1 : 0;
}

void host_progress(const sculpt_host* host, const char* phase, std::int64_t done,
                   std::int64_t total) {
  const HostLink& link = link_of(host);
  link.services().progress(link.component(), phase == nullptr ? "" : phase, done, total);
}

void copy_text(const std::string& text, sculpt_error* error) {
  if (error == nullptr || error->text == nullptr || error->capacity < 1) return;
  const std::size_t room = static_cast<std::size_t>(error->capacity) - 1;
  const std::size_t size = std::min(room, text.size());
  std::memcpy(error->text, text.data(), size);
  error->text[size] = '\0';
}

// Runs every task, also after one failed, as ext/host.h promises.
sculpt_status host_run(const sculpt_host* host, std::int64_t task_count, sculpt_task task,
                       void* context, sculpt_error* error) {
  if (task_count < 0 || task == nullptr) {
    copy_text("parallel: a negative number of tasks, or no task", error);
    return SCULPT_E_INVALID;
  }
  std::mutex mutex;
  std::int64_t failed = task_count;
  sculpt_status failed_status = SCULPT_OK;
  std::string failed_text;
  link_of(host).services().workers().share(task_count, [&](std::int64_t number) {
    ErrorText text;
    const sculpt_status status = task(context, number, text.raw());
    if (status == SCULPT_OK) return;
    const std::lock_guard<std::mutex> lock(mutex);
    if (number >= failed) return;
    failed = number;
    failed_status = status;
    failed_text = text.text();
  });
  if (failed_status != SCULPT_OK) copy_text(failed_text, error);
  return failed_status;
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
  return nullptr;
}

}  // namespace

Services::Services(Callbacks callbacks, Workers& workers)
    : callbacks_(std::move(callbacks)), workers_(workers) {}

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
