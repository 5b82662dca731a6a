// mapped_memory.hpp - memory for many small pieces that lie in files, such as planes.
//
//   piece of at least min_own_file bytes   a file of its own, which ends with the piece
//   smaller piece                          a part of a slab; freed pieces are used again for others
//
// Held by Services for runs whose planes do not fit in the key "memory". Given to WorkingSet and
// PlaneCache by PlaneSource::plane_memory().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>

#include "base/memory/file_storage.hpp"

namespace sculpt::core {

// All functions: [any]. They throw what FileStorage::allocate() throws.
class MappedMemory : public std::pmr::memory_resource {
 public:
  static constexpr std::size_t min_own_file = std::size_t{1} << 20;

  // The storage must outlive it. All pieces must be freed before it ends.
  explicit MappedMemory(FileStorage& storage) : slabs_(storage) {}

 private:
  // Cuts pieces off files, and never takes small ones back. The pool above keeps those.
  class Slabs : public std::pmr::memory_resource {
   public:
    explicit Slabs(FileStorage& storage) : storage_(storage) {}

   private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* piece, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
      return this == &other;
    }

    FileStorage& storage_;
    std::mutex mutex_;
    std::byte* next_ = nullptr;   // in the last slab
    std::size_t left_ = 0;        // behind next_
    std::size_t slab_bytes_ = 0;  // of the last slab
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* piece, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  static constexpr std::size_t max_pieces_at_a_time = 4096;

  Slabs slabs_;
  std::pmr::synchronized_pool_resource pool_{{max_pieces_at_a_time, min_own_file}, &slabs_};
};

}  // namespace sculpt::core
