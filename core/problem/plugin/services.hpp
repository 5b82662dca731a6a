// services.hpp - what the host offers to the components of one problem (sculpt/ext/host.h,
// source_service.hpp and sum_service.hpp).
//
// Made by Problem. Each Component has its own HostLink, which puts the component's name before log
// lines.
#pragma once

#include <sculpt/ext/host.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "base/memory/file_storage.hpp"
#include "base/memory/mapped_memory.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

// The receivers of the services. Each may be empty. `log` and `progress` are called from any
// thread, but never two at once. `cancelled` is called from many threads at once and must be cheap.
struct Callbacks {
  // severity: SCULPT_LOG_*; text: "viterbi: message", without newline
  std::function<void(std::int32_t severity, const std::string& text)> log;
  std::function<bool()> cancelled;
  // total: 0 if unknown
  std::function<void(const std::string& component, const std::string& phase, std::int64_t done,
                     std::int64_t total)>
      progress;
};

class Services {
 public:
  // While it lives, cancelled() is also true if `poll` returns true. Used for the max_seconds of a
  // pass or of measuring. `poll` is called from any thread, outlives this, and may be empty. Made
  // and destroyed on the main thread while no component is called.
  class ScopedStopCondition {
   public:
    ScopedStopCondition(Services& services, const std::function<bool()>& poll)
        : services_(services), previous_(services.stop_condition_.load()) {
      if (poll) services_.stop_condition_.store(&poll);
    }
    ~ScopedStopCondition() { services_.stop_condition_.store(previous_); }
    ScopedStopCondition(const ScopedStopCondition&) = delete;
    ScopedStopCondition& operator=(const ScopedStopCondition&) = delete;

   private:
    Services& services_;
    const std::function<bool()>* previous_;
  };

  // While it lives, cancelled() is false: a call must end that cannot be repeated. Made and
  // destroyed as a ScopedStopCondition.
  class ScopedNoCancel {
   public:
    explicit ScopedNoCancel(Services& services) : services_(services) {
      services_.must_finish_.store(true);
    }
    ~ScopedNoCancel() { services_.must_finish_.store(false); }
    ScopedNoCancel(const ScopedNoCancel&) = delete;
    ScopedNoCancel& operator=(const ScopedNoCancel&) = delete;

   private:
    Services& services_;
  };

  enum class Guard {
    none,
    fences,  // arrays that plugins get are copies with a fence behind them (lent_array.hpp)
    calls    // the same, and components are called again and their results compared (--guard)
  };
  Services(Callbacks callbacks, Workers& workers, Guard guard = Guard::none);

  // Call the callbacks if they are set, one call at a time. [any]
  void log(std::int32_t severity, const std::string& text);
  void progress(const std::string& component, const std::string& phase, std::int64_t done,
                std::int64_t total);
  // True if the run is cancelled or the current ScopedStopCondition holds, without a
  // ScopedNoCancel. [any]
  bool cancelled() const {
    if (must_finish()) return false;
    if (callbacks_.cancelled && callbacks_.cancelled()) return true;
    const std::function<bool()>* const stop_condition =
        stop_condition_.load(std::memory_order_relaxed);
    return stop_condition != nullptr && (*stop_condition)();
  }
  void throw_if_cancelled() const;  // throws Cancelled
  // True while a ScopedNoCancel lives. [any]
  bool must_finish() const { return must_finish_.load(std::memory_order_relaxed); }
  Workers& workers() { return workers_; }
  // Large arrays of components lie in files of this folder. Call it before there are components.
  void store_in(const std::filesystem::path& folder) { storage_.emplace(folder); }
  // nullptr: they are in memory.
  FileStorage* storage() { return storage_ ? &*storage_ : nullptr; }
  // Planes lie in such files, too. Requires storage(). Call it before there are planes.
  void map_planes() { plane_memory_.emplace(*storage_); }
  // nullptr: they are on the heap.
  MappedMemory* plane_memory() { return plane_memory_ ? &*plane_memory_ : nullptr; }
  bool is_guarded() const { return guard_ == Guard::calls; }
  bool is_fenced() const { return guard_ != Guard::none; }

 private:
  Callbacks callbacks_;
  Workers& workers_;
  Guard guard_;
  std::optional<FileStorage> storage_;
  std::optional<MappedMemory> plane_memory_;
  // Both change only between calls.
  std::atomic<const std::function<bool()>*> stop_condition_ = nullptr;
  std::atomic<bool> must_finish_ = false;
  std::mutex mutex_;
};

// The sculpt_host of one component. Must not move: components keep the pointer.
class HostLink {
 public:
  HostLink(std::string component, Services& services);
  HostLink(const HostLink&) = delete;
  HostLink& operator=(const HostLink&) = delete;

  // Returns the object behind raw(), which a plugin passes to a service.
  static const HostLink& of(const sculpt_host* host) {
    return *static_cast<const HostLink*>(host->self);
  }

  const sculpt_host* raw() const { return &raw_; }
  const std::string& component() const { return component_; }
  Services& services() const { return services_; }

 private:
  std::string component_;
  Services& services_;
  sculpt_host raw_;
};

}  // namespace sculpt::core
