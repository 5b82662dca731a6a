#include "parallel/alternate_stack.hpp"

#include <sys/mman.h>

#include <csignal>
#include <cstddef>

namespace sculpt::core {
namespace {

constexpr std::size_t size = std::size_t{1} << 16;

}  // namespace

AlternateStack::AlternateStack() {
  stack_t present = {};
  if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t mine = {};
  mine.ss_sp = memory;
  mine.ss_size = size;
  if (sigaltstack(&mine, nullptr) == 0) {
    memory_ = memory;
  } else {
    munmap(memory, size);
  }
}

AlternateStack::~AlternateStack() {
  if (memory_ == nullptr) return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(memory_, size);
}

}  // namespace sculpt::core
