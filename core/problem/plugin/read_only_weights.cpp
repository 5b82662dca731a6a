#include "problem/plugin/read_only_weights.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <new>

#include "base/failure.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t alignment = 64;

// The pages of one object: the address of its guard page, 0 for a free entry, and the number of
// bytes of the pages before it.
struct GuardedPages {
  std::atomic<std::uintptr_t> guard_page = 0;
  std::atomic<std::size_t> size = 0;
};
std::array<GuardedPages, 256> guarded_pages;

void register_pages(std::uintptr_t guard_page, std::size_t size) {
  for (GuardedPages& pages : guarded_pages) {
    std::uintptr_t none = 0;
    if (!pages.guard_page.compare_exchange_strong(none, guard_page)) continue;
    pages.size.store(size);
    return;
  }
}

void unregister_pages(std::uintptr_t guard_page) {
  for (GuardedPages& pages : guarded_pages) {
    if (pages.guard_page.load() != guard_page) continue;
    pages.size.store(0);
    pages.guard_page.store(0);
  }
}

std::size_t page_size() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t rounded_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

}  // namespace

// The weights end as close to the guard page as their alignment allows. The guard page has no
// access rights. The space between is NaN, so that every result computed from it is NaN.
ReadOnlyWeights::ReadOnlyWeights(std::int64_t dimension)
    : dimension_(static_cast<std::size_t>(dimension)) {
  const std::size_t bytes = rounded_up(dimension_ * sizeof(double), alignment);
  size_ = rounded_up(bytes, page_size());
  void* const memory = mmap(nullptr, size_ + page_size(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<char*>(memory);
  if (mprotect(pages_ + size_, page_size(), PROT_NONE) != 0) {
    munmap(pages_, size_ + page_size());
    throw std::bad_alloc();
  }
  values_ = reinterpret_cast<double*>(pages_ + size_ - bytes);
  register_pages(reinterpret_cast<std::uintptr_t>(pages_ + size_), size_);
  std::fill(values_ + dimension_, values_ + bytes / sizeof(double),
            std::numeric_limits<double>::quiet_NaN());
}

ReadOnlyWeights::~ReadOnlyWeights() {
  unregister_pages(reinterpret_cast<std::uintptr_t>(pages_ + size_));
  munmap(pages_, size_ + page_size());
}

const char* ReadOnlyWeights::fault_at(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const GuardedPages& pages : guarded_pages) {
    const std::uintptr_t guard_page = pages.guard_page.load();
    if (guard_page == 0) continue;
    if (at < guard_page && guard_page - at <= pages.size.load()) {
      return ": it writes to w, which is read-only";
    }
    if (at >= guard_page && at - guard_page < page_size()) {
      return ": it reads or writes after the end of w";
    }
  }
  return nullptr;
}

std::span<double> ReadOnlyWeights::open() {
  protect(PROT_READ | PROT_WRITE);
  return {values_, dimension_};
}

void ReadOnlyWeights::close() {
  protect(PROT_READ);
}

const double* ReadOnlyWeights::copy_from(std::span<const double> w) {
  std::copy(w.begin(), w.end(), open().begin());
  close();
  return values_;
}

void ReadOnlyWeights::protect(int rights) {
  if (mprotect(pages_, size_, rights) == 0) return;
  throw Failure(Exit::internal, "the system cannot change the access rights of the weights");
}

}  // namespace sculpt::core
