// large_arrays.hpp - arrays of a dataset that may be larger than the memory.
//
// SPDX-License-Identifier: Apache-2.0
//
// LargeVector is a std::vector, and LargeText a std::string. While load() or the constructor of a
// component runs, new ones get their memory from the host (ext/draft/host_storage.h), once they are
// a megabyte large. SiteStore, SparseRows and LineReader use them. So a dataset that keeps its rows
// in a SiteStore needs nothing else. If the host has no storage, they are ordinary memory.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <vector>

#include "../ext/draft/host_storage.h"
#include "error.hpp"

namespace sculpt {

namespace detail {

// The host of the component whose constructor or load() runs on this thread, or nullptr.
inline thread_local const sculpt_host* host_of_arrays = nullptr;

// Set by the wrapper around these calls.
class ScopedHostOfArrays {
 public:
  explicit ScopedHostOfArrays(const sculpt_host* host) : outer_(host_of_arrays) {
    host_of_arrays = host;
  }
  ~ScopedHostOfArrays() { host_of_arrays = outer_; }
  ScopedHostOfArrays(const ScopedHostOfArrays&) = delete;
  ScopedHostOfArrays& operator=(const ScopedHostOfArrays&) = delete;

 private:
  const sculpt_host* outer_;
};

}  // namespace detail

// An allocator for std containers. Its objects are equal if their hosts are.
template <class T>
class LargeAllocator {
 public:
  using value_type = T;

  LargeAllocator() : host_(detail::host_of_arrays) {}
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
