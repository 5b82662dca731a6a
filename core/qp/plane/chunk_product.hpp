// chunk_product.hpp - the inner product within a chunk: a few blocks that are solved on their own.
//
// Made by an InnerProduct, used by SweepInChunks. It knows M between the coordinates of its blocks'
// planes, and w there. So a step changes w at little cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

class ChunkProduct {
 public:
  virtual ~ChunkProduct() = default;

  // Starts with the first of these blocks, as many as fit. Returns their number: 0 if the first is
  // too large. `previous`: another chunk of the same product, whose blocks will change before this
  // one takes steps; or nullptr. Uses all threads. [main]
  virtual std::size_t start(std::span<const std::int64_t> blocks, const ChunkProduct* previous) = 0;

  // The functions below run on any thread, while no column comes into use. `local`: [dimension] a
  // vector of this chunk alone. `block`: the number of a block in the chunk.

  // Takes over M, in tasks [0, copy_task_count()) that may run at the same time. All of them come
  // before the functions below, and before the next but one start() of any chunk.
  virtual std::int64_t copy_task_count() const = 0;
  virtual void copy(std::int64_t task) = 0;

  // Takes over w.
  virtual void copy_w(const Vector& w, Vector& local) = 0;
  // Moves w of the chunk by M times a change of v in the blocks of `previous`.
  virtual void follow(const SparseVector& change, Vector& local) = 0;
  // local = w of the chunk, at the columns of planes of this block.
  virtual void show(std::size_t block, Vector& local) const = 0;
  // Moves w of the chunk by M times the sum of change[p] a[p], planes of this block.
  virtual void move(std::size_t block, std::span<const PlaneVector> a,
                    std::span<const double> change, Vector& local) = 0;
};

}  // namespace sculpt::core
