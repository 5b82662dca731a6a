// fenced_weights.hpp - a copy of w that plugins may read and cannot write, for --guard.
//
// Whoever writes to it, or reads beyond the end of its page, crashes there and is named by the
// crash report (command/crash_report.hpp). Used by ProblemSeparator.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linalg/vector.hpp"

namespace sculpt::core {

class FencedWeights {
 public:
  // Requires dimension >= 1. Throws Failure when the system gives no memory.
  explicit FencedWeights(std::int64_t dimension);
  ~FencedWeights();
  FencedWeights(const FencedWeights&) = delete;
  FencedWeights& operator=(const FencedWeights&) = delete;

  // The copy, 64-byte aligned, as it is until the next call. Requires w[dimension] and that no
  // plugin is at work.
  const double* hold(const Vector& w);

 private:
  void protect(int rights);

  std::size_t size_;  // in bytes, of the pages in front of the fence
  char* pages_ = nullptr;
  double* copy_ = nullptr;
};

}  // namespace sculpt::core
