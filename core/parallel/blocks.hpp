// blocks.hpp - loops over long vectors, on all threads.
//
// Called by objective/, solver/crf and solver/moments, whose vectors are as long as w. A vector is
// cut into blocks that follow from its length only. Sums of blocks are added in their order. So
// results do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

inline constexpr std::int64_t numbers_per_block = std::int64_t{1} << 14;

// Calls function(begin, end) for the blocks of [0, size), with indices as std::size_t. workers ==
// nullptr: on this thread.
template <class Function>
void for_each_block(Workers* workers, std::size_t size, const Function& function) {
  const auto count = static_cast<std::int64_t>(size);
  if (count == 0) return;
  if (workers == nullptr || count <= numbers_per_block) return function(std::size_t{0}, size);
  workers->run_ranges(count, numbers_per_block,
                      [&](std::int64_t begin, std::int64_t end, int /*worker*/) {
                        function(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
                      });
}

// Returns the sum of function(begin, end) over the blocks of [0, size).
template <class Function>
double sum_over_blocks(Workers* workers, std::size_t size, const Function& function) {
  constexpr auto block = static_cast<std::size_t>(numbers_per_block);
  const std::size_t blocks = (size + block - 1) / block;
  if (blocks <= 1) return size > 0 ? function(std::size_t{0}, size) : 0.0;
  std::vector<double> sums(blocks);
  const auto add_block = [&](std::size_t k) {
    sums[k] = function(k * block, std::min(size, (k + 1) * block));
  };
  if (workers == nullptr) {
    for (std::size_t k = 0; k < blocks; ++k) add_block(k);
  } else {
    workers->run(static_cast<std::int64_t>(blocks),
                 [&](std::int64_t k, int /*worker*/) { add_block(static_cast<std::size_t>(k)); });
  }
  double sum = 0;
  for (const double one : sums) sum += one;
  return sum;
}

// <a, b>, for vectors of one length.
inline double dot_in_blocks(Workers* workers, const Vector& a, const Vector& b) {
  return sum_over_blocks(workers, a.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) sum += a[j] * b[j];
    return sum;
  });
}

}  // namespace sculpt::core
