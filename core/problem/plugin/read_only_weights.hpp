// read_only_weights.hpp - a w that plugins can read but not write, for --guard and `sculpt check`.
//
// A plugin that writes to it, or reads from the page after it, crashes there. The crash report
// names that plugin (launch/crash_report.hpp). A plugin that reads between the end of w and that
// page reads NaN. Used by QueryWeights and check/fixture/weight_generator.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "problem/plugin/fenced_pages.hpp"

namespace sculpt::core {

class ReadOnlyWeights {
 public:
  // All zeros, writable. Requires dimension >= 1. Throws std::bad_alloc.
  explicit ReadOnlyWeights(std::int64_t dimension);

  // The weights, 64-byte aligned.
  std::span<const double> values() const { return {values_, dimension_}; }

  // open() makes the weights writable for the host and returns them. close() makes them read-only
  // again. Both require that no plugin is running. They throw Failure(Exit::internal) if the system
  // refuses to change the access rights.
  std::span<double> open();
  void close();

  // Copies w[dimension] into it, makes it read-only, and returns its address. Requires and throws
  // as open().
  const double* copy_from(std::span<const double> w);

 private:
  std::size_t dimension_;
  FencedPages pages_;
  double* values_;
};

}  // namespace sculpt::core
