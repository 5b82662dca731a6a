// block_sums.hpp - sums over the examples of a batch that do not depend on the number of threads.
//
// Examples are cut into blocks that follow from the size of the work only. Each block has a sum of
// its own, and the sums are added in the order of the blocks. Called by Batch and ProgramBatch for
// gradients that all examples share.
#pragma once

#include <algorithm>
#include <cstdint>

#include "linalg/vector.hpp"
#include "parallel/blocks.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

class BlockSums {
 public:
  // Begins sums of `size` numbers over `count` examples. `is_wanted`: false if there are only
  // blocks. All sums together have at most some 64 MB, or eight blocks. [main]
  void begin(std::int64_t count, std::int64_t size, bool is_wanted) {
    constexpr std::int64_t most_numbers = std::int64_t{1} << 23;
    const std::int64_t most_blocks =
        is_wanted ? std::max<std::int64_t>(8, most_numbers / std::max<std::int64_t>(1, size))
                  : count;
    block_size_ = std::max(Workers::range_size(count),
                           (count + most_blocks - 1) / std::max<std::int64_t>(1, most_blocks));
    size_ = is_wanted ? static_cast<std::size_t>(size) : 0;
    const std::int64_t blocks = (count + block_size_ - 1) / block_size_;
    sums_.resize(static_cast<std::size_t>(blocks) * size_);
  }
  std::int64_t block_size() const { return block_size_; }

  // Returns the sum of the block that begins with this example, set to 0. nullptr if no sum is
  // wanted. [worker]
  double* begin_block(std::int64_t first_example) {
    if (size_ == 0) return nullptr;
    double* const sum =
        sums_.data() + static_cast<std::size_t>(first_example / block_size_) * size_;
    std::fill_n(sum, size_, 0.0);
    return sum;
  }

  // Writes the sum of all blocks to out[size]. Does nothing if no sum is wanted. [main]
  void write(Workers& workers, double* out) const {
    for_each_block(&workers, size_, [&](std::size_t begin, std::size_t end) {
      std::fill(out + begin, out + end, 0.0);
      for (std::size_t block = 0; block < sums_.size(); block += size_) {
        for (std::size_t j = begin; j < end; ++j) out[j] += sums_[block + j];
      }
    });
  }

 private:
  std::int64_t block_size_ = 1;
  std::size_t size_ = 0;
  Vector sums_;  // [blocks][size]
};

}  // namespace sculpt::core
