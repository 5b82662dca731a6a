// sweep_in_chunks.hpp - a sweep over planes with an inner product: solves a chunk, the blocks with
// the largest gaps, as a problem of its own.
//
// Called by QpSolver. A step changes the scores of all atoms, which costs a row of the kernel.
// Inside a chunk, steps change the scores of its own atoms alone. The other scores follow at the
// end, once for all steps. So blocks that depend on each other settle at little cost.
//
// While the scores of all atoms follow a chunk, one thread solves the next chunk, whose own scores
// have followed before. Another thread copies the values of the chunk behind it. So chunks still
// come one after the other, and the result does not depend on the number of threads. Not used if
// slacks are forbidden: all blocks then share one price.
//
// Source: the decomposition of Joachims 1999 ("Making large-scale SVM learning practical"), with
// blocks in place of variables.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "qp/block/block_visit.hpp"
#include "qp/plane/chunk_product.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class SweepInChunks {
 public:
  // Must outlive it.
  explicit SweepInChunks(WorkingSet& working_set);

  // True if the planes of several blocks have an inner product, and blocks share no price.
  bool is_possible() const {
    return working_set_.inner_product() != nullptr && working_set_.block_count() > 1 &&
           !working_set_.slack_term().is_forbidden();
  }

  struct Outcome {
    double gain = 0;  // of the dual
    double work = 0;  // plane entries touched, without those of WorkingSet::work_of_moves()
    bool is_interrupted = false;  // `stop` returned true
  };

  // Solves chunk after chunk of these blocks: a few chunks, or more until it has visited this
  // fraction of the blocks. Visits the blocks of a chunk again and again until their gaps are small
  // compared with the gaps before. A visit ends when the gap of the block is at most `tolerance`.
  // Calls `stop` before each chunk; may be empty. Requires is_possible(). [main]
  Outcome run(std::span<const std::int64_t> blocks, double tolerance, double fraction,
              const std::function<bool()>& stop);

 private:
  struct Chunk {
    std::unique_ptr<ChunkProduct> product;
    std::span<const std::int64_t> blocks;
    std::vector<double> alpha_before;  // of the blocks, one after the other
    SparseVector change;               // of v, which w of the working set has not followed
    Vector local_w;                    // [dimension] see ChunkProduct
  };
  struct Round {
    double gap = 0;  // the sum of the blocks' gaps before
    bool has_moved = false;
  };

  void copy(Chunk& chunk);
  void solve(Chunk& chunk, const Chunk* previous, Chunk* next, double tolerance, Outcome& outcome);
  void ascend(Chunk& chunk, double tolerance, Outcome& outcome);
  void visit_alone(std::int64_t block, double tolerance, Outcome& outcome);
  Round visit_all(Chunk& chunk, double tolerance, Outcome& outcome);

  WorkingSet& working_set_;
  BlockVisit visit_;
  std::array<Chunk, 2> chunks_;         // the current one; the previous one, and then the next one
  std::vector<double> alpha_moves_;     // of one block
  std::span<const std::int64_t> left_;  // blocks of run() that are in no chunk yet
};

}  // namespace sculpt::core
