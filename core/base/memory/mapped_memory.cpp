#include "base/memory/mapped_memory.hpp"

#include <algorithm>
#include <memory>

namespace sculpt::core {
namespace {

// The first slab is small, as a run may have few planes. Later ones double, so that there are few
// files.
constexpr std::size_t first_slab = std::size_t{4} << 20;
constexpr std::size_t largest_slab = std::size_t{256} << 20;

}  // namespace

void* MappedMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes >= min_own_file) return slabs_.allocate(bytes, alignment);
  return pool_.allocate(bytes, alignment);
}

void MappedMemory::do_deallocate(void* piece, std::size_t bytes, std::size_t alignment) {
  if (bytes >= min_own_file) return slabs_.deallocate(piece, bytes, alignment);
  pool_.deallocate(piece, bytes, alignment);
}

void* MappedMemory::Slabs::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes >= min_own_file) return storage_.allocate(static_cast<std::int64_t>(bytes));
  const std::lock_guard<std::mutex> lock(mutex_);
  void* place = next_;
  if (next_ == nullptr || std::align(alignment, bytes, place, left_) == nullptr) {
    slab_bytes_ = std::clamp(2 * slab_bytes_, first_slab, largest_slab);
    place = storage_.allocate(static_cast<std::int64_t>(slab_bytes_));
    left_ = slab_bytes_;
  }
  next_ = static_cast<std::byte*>(place) + bytes;
  left_ -= bytes;
  return place;
}

void MappedMemory::Slabs::do_deallocate(void* piece, std::size_t bytes, std::size_t) {
  if (bytes >= min_own_file) storage_.release(piece);
}

}  // namespace sculpt::core
