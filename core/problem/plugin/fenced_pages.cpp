#include "problem/plugin/fenced_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <new>

#include "base/failure.hpp"

namespace sculpt::core {

// A free entry has the fence 0.
struct FencedPages::Entry {
  std::atomic<std::uintptr_t> fence = 0;
  std::atomic<std::size_t> size = 0;
  std::atomic<const char*> name = "";

  static std::array<Entry, 1024> all;
};
std::array<FencedPages::Entry, 1024> FencedPages::Entry::all;

namespace {

std::size_t page_size() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

FencedPages::FencedPages(std::size_t bytes, const char* name)
    : size_((std::max<std::size_t>(bytes, 1) + page_size() - 1) / page_size() * page_size()) {
  void* const memory = mmap(nullptr, size_ + page_size(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<char*>(memory);
  if (mprotect(fence(), page_size(), PROT_NONE) != 0) {
    munmap(pages_, size_ + page_size());
    throw std::bad_alloc();
  }
  for (Entry& entry : Entry::all) {
    std::uintptr_t none = 0;
    if (!entry.fence.compare_exchange_strong(none, reinterpret_cast<std::uintptr_t>(fence()))) {
      continue;
    }
    entry_ = &entry;
    entry.size.store(size_);
    entry.name.store(name);
    return;
  }
}

FencedPages::~FencedPages() {
  if (entry_ != nullptr) {
    entry_->size.store(0);
    entry_->fence.store(0);
  }
  munmap(pages_, size_ + page_size());
}

void FencedPages::set_name(const char* name) {
  if (entry_ != nullptr) entry_->name.store(name);
}

void FencedPages::allow_writing() {
  set_rights(PROT_READ | PROT_WRITE);
}

void FencedPages::allow_only_reading() {
  set_rights(PROT_READ);
}

void FencedPages::set_rights(int rights) {
  if (mprotect(pages_, size_, rights) == 0) return;
  throw Failure(Exit::internal, "the system cannot change the access rights of memory");
}

std::optional<FencedPages::Fault> FencedPages::fault_at(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Entry& entry : Entry::all) {
    const std::uintptr_t fence = entry.fence.load();
    if (fence == 0) continue;
    if (at < fence && fence - at <= entry.size.load()) {
      return Fault{": it writes to ", entry.name.load(), ", which is read-only"};
    }
    if (at >= fence && at - fence < page_size()) {
      return Fault{": it reads or writes after the end of ", entry.name.load(), ""};
    }
  }
  return std::nullopt;
}

}  // namespace sculpt::core
