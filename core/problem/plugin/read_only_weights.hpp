// read_only_weights.hpp - a w that plugins may read and cannot write, for --guard and `sculpt
// check`.
//
// Whoever writes to it, or reads as far behind it as the next page, crashes there and is named by
// the crash report (launch/crash_report.hpp). Whoever reads less far behind it, where w does not
// end with a page, reads NaN. Used by QueryWeights and check/fixture/weight_generator.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sculpt::core {

class ReadOnlyWeights {
 public:
  // Zeros, open. Requires dimension >= 1. Throws std::bad_alloc when the system gives no memory.
  explicit ReadOnlyWeights(std::int64_t dimension);
  ~ReadOnlyWeights();
  ReadOnlyWeights(const ReadOnlyWeights&) = delete;
  ReadOnlyWeights& operator=(const ReadOnlyWeights&) = delete;

  // The weights, 64-byte aligned.
  std::span<const double> values() const { return {values_, dimension_}; }

  // The same for the host to write to, until close(). Both require that no plugin is at work, and
  // throw Failure(Exit::internal) when the system does not change the rights of the memory.
  std::span<double> open();
  void close();

  // ": it writes to w, ..." and the like for an address of any ReadOnlyWeights of the process at
  // which a plugin crashed, else nullptr. [signal handler] Of more than some hundred not all are
  // known.
  static const char* fault_at(const void* address);

  // Makes them a copy of w[dimension], closed. Requires and throws as open().
  const double* hold(std::span<const double> w);

 private:
  void protect(int rights);

  std::size_t dimension_;
  std::size_t size_;  // in bytes, of the pages in front of the fence
  char* pages_ = nullptr;
  double* values_ = nullptr;
};

}  // namespace sculpt::core
