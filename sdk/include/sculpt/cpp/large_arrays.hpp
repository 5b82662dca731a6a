// large_arrays.hpp - arrays of a dataset that may be larger than the memory.
//
// SPDX-License-Identifier: Apache-2.0
//
// LargeVector is a std::vector, and LargeText a std::string. While load() or the constructor of a
// component runs, new ones get their memory from the host (ext/draft/host_storage.h), once they are
// a megabyte large. SiteStore, SparseRows and LineReader use them. So a dataset that keeps its rows
// in a SiteStore needs nothing else. If the host has no storage, they are ordinary memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "../ext/draft/host_storage.h"
#include "error.hpp"

namespace sculpt {

namespace detail {

// The hosts of the components whose constructor or load() runs, a thread each. A table and not a
// thread_local pointer: clang 14's leak checker crashes on those of libraries that were loaded.
class HostsOfArrays {
 public:
  // That of this thread, or nullptr. [any]
  const sculpt_host* here() const {
    if (open_count_.load(std::memory_order_relaxed) == 0) return nullptr;
    const std::lock_guard lock(mutex_);
    const auto open = last_of_this_thread();
    return open == open_.rend() ? nullptr : open->host;
  }
  // [any]
  void push(const sculpt_host* host) {
    const std::lock_guard lock(mutex_);
    open_.push_back({std::this_thread::get_id(), host});
    open_count_.store(open_.size(), std::memory_order_relaxed);
  }
  // Removes the last of this thread. [any]
  void pop() {
    const std::lock_guard lock(mutex_);
    open_.erase(std::next(last_of_this_thread()).base());
    open_count_.store(open_.size(), std::memory_order_relaxed);
  }

 private:
  struct Open {
    std::thread::id thread;
    const sculpt_host* host;
  };
  std::vector<Open>::const_reverse_iterator last_of_this_thread() const {
    return std::find_if(open_.rbegin(), open_.rend(),
                        [](const Open& open) { return open.thread == std::this_thread::get_id(); });
  }

  mutable std::mutex mutex_;
  std::vector<Open> open_;                   // the last of a thread is the inner one
  std::atomic<std::size_t> open_count_ = 0;  // as open_.size(); read without the lock
};

inline HostsOfArrays hosts_of_arrays;

// Set by the wrapper around these calls.
class ScopedHostOfArrays {
 public:
  explicit ScopedHostOfArrays(const sculpt_host* host) { hosts_of_arrays.push(host); }
  ~ScopedHostOfArrays() { hosts_of_arrays.pop(); }
  ScopedHostOfArrays(const ScopedHostOfArrays&) = delete;
  ScopedHostOfArrays& operator=(const ScopedHostOfArrays&) = delete;
};

}  // namespace detail

// An allocator for std containers. Its objects are equal if their hosts are.
template <class T>
class LargeAllocator {
 public:
  using value_type = T;

  LargeAllocator() : host_(detail::hosts_of_arrays.here()) {}
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>& other) : host_(other.host()) {}

  T* allocate(std::size_t count) {
    if (count > std::size_t(-1) / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = count * sizeof(T);
    const sculpt_host_storage* const storage = storage_for(bytes);
    if (storage != nullptr) {
      void* memory = nullptr;
      checked_call([&](sculpt_error* error) {
        return storage->allocate(host_, static_cast<std::int64_t>(bytes), &memory, error);
      });
      if (memory != nullptr) return static_cast<T*>(memory);
    }
    return static_cast<T*>(::operator new(bytes));
  }
  void deallocate(T* memory, std::size_t count) {
    const sculpt_host_storage* const storage = storage_for(count * sizeof(T));
    if (storage != nullptr && storage->release(host_, memory) != 0) return;
    ::operator delete(memory);
  }

  const sculpt_host* host() const { return host_; }
  template <class Other>
  bool operator==(const LargeAllocator<Other>& other) const {
    return host_ == other.host();
  }

 private:
  // nullptr: the array is small, or the host has no such service.
  const sculpt_host_storage* storage_for(std::size_t bytes) const {
    constexpr std::size_t least = std::size_t{1} << 20;
    if (bytes < least || host_ == nullptr) return nullptr;
    return static_cast<const sculpt_host_storage*>(host_->extension(host_, SCULPT_HOST_STORAGE));
  }

  const sculpt_host* host_;
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;
using LargeText = std::basic_string<char, std::char_traits<char>, LargeAllocator<char>>;

}  // namespace sculpt
