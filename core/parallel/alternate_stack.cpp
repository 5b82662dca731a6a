#include "parallel/alternate_stack.hpp"

#include <sys/mman.h>

#include <csignal>
#include <cstddef>

namespace sculpt::core {
namespace {

constexpr std::size_t stack_size = std::size_t{1} << 16;

}  // namespace

AlternateStack::AlternateStack() {
  stack_t current = {};
  if (sigaltstack(nullptr, &current) != 0 || (current.ss_flags & SS_DISABLE) == 0) return;
  void* const memory =
      mmap(nullptr, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t own = {};
  own.ss_sp = memory;
  own.ss_size = stack_size;
  if (sigaltstack(&own, nullptr) == 0) {
    memory_ = memory;
  } else {
    munmap(memory, stack_size);
  }
}

AlternateStack::~AlternateStack() {
  if (memory_ == nullptr) return;
  stack_t disabled = {};
  disabled.ss_flags = SS_DISABLE;
  sigaltstack(&disabled, nullptr);
  munmap(memory_, stack_size);
}

}  // namespace sculpt::core
