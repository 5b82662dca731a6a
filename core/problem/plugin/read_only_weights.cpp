#include "problem/plugin/read_only_weights.hpp"

#include <algorithm>
#include <limits>

namespace sculpt::core {
namespace {

constexpr std::size_t alignment = 64;

std::size_t bytes_of(std::size_t dimension) {
  return (dimension * sizeof(double) + alignment - 1) / alignment * alignment;
}

}  // namespace

// The weights end as close to the fence as their alignment allows. The space between is NaN, so
// that every result computed from it is NaN.
ReadOnlyWeights::ReadOnlyWeights(std::int64_t dimension)
    : dimension_(static_cast<std::size_t>(dimension)),
      pages_(bytes_of(dimension_), "w"),
      values_(reinterpret_cast<double*>(pages_.fence() - bytes_of(dimension_))) {
  std::fill(values_ + dimension_, values_ + bytes_of(dimension_) / sizeof(double),
            std::numeric_limits<double>::quiet_NaN());
}

std::span<double> ReadOnlyWeights::open() {
  pages_.allow_writing();
  return {values_, dimension_};
}

void ReadOnlyWeights::close() {
  pages_.allow_only_reading();
}

const double* ReadOnlyWeights::copy_from(std::span<const double> w) {
  std::copy(w.begin(), w.end(), open().begin());
  close();
  return values_;
}

}  // namespace sculpt::core
