#include "problem/fenced_weights.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "failure.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t alignment = 64;

std::size_t page_size() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t rounded_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

}  // namespace

// The copy ends as close to the fence, a page without any rights, as its alignment allows.
FencedWeights::FencedWeights(std::int64_t dimension) {
  const std::size_t bytes =
      rounded_up(static_cast<std::size_t>(dimension) * sizeof(double), alignment);
  size_ = rounded_up(bytes, page_size());
  void* const memory =
      mmap(nullptr, size_ + page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<char*>(memory);
  copy_ = reinterpret_cast<double*>(pages_ + size_ - bytes);
}

FencedWeights::~FencedWeights() {
  munmap(pages_, size_ + page_size());
}

const double* FencedWeights::hold(const Vector& w) {
  protect(PROT_READ | PROT_WRITE);
  std::copy(w.begin(), w.end(), copy_);
  protect(PROT_READ);
  return copy_;
}

void FencedWeights::protect(int rights) {
  if (mprotect(pages_, size_, rights) == 0) return;
  throw Failure(Exit::internal, "--guard: the system does not protect the copy of the weights");
}

}  // namespace sculpt::core
