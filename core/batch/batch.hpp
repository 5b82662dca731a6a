// batch.hpp - computes values, gradients and outputs for the examples of a batch.
//
//   value_i = A_i - B_i,    A = max or log sum exp over y of theta^T z(y) + Delta(t, y)
//   gradient = the same difference of z(y) or E[z]
//
// B is theta^T z(t), or the same operation over the outputs that agree with a partial truth, or 0
// without a truth (sculpt/host/batch.h). The gradients of shared tables are summed over fixed
// blocks of examples, and then over the blocks in their order. So they do not depend on the number
// of threads. Made by library/batch.cpp.
#pragma once

#include <sculpt/host/batch.h>

#include <cstdint>
#include <vector>

#include "batch/batch_graphs.hpp"
#include "batch/batch_quantity.hpp"
#include "batch/block_sums.hpp"
#include "batch/handle_use.hpp"
#include "batch/loaded_map_solver.hpp"
#include "linalg/vector.hpp"
#include "parallel/cache_line.hpp"

namespace sculpt::core {

class Batch {
 public:
  // Throws Failure as LoadedMapSolver does.
  explicit Batch(const LoadedMapSolver::Options& options);

  // Reads and writes what the records say. Calls from several threads take turns. Throws Failure:
  // Exit::usage for wrong sizes, Exit::data for wrong scores or truths, Exit::config if the
  // map_solver cannot solve the graphs.
  void compute(const BatchQuantity& quantity, const BatchGraphs& graphs,
               const sculpt_batch_input& input, const sculpt_batch_output& output);
  void stop() { solver_.stop(); }  // [signal handler]
  bool is_of_this_process() const { return use_.is_of_this_process(); }

 private:
  // Memory of one worker.
  struct alignas(cache_line) Scratch {
    std::uint64_t call = 0;  // whose shared tables are in theta and given
    Vector theta;            // [shared | unary | own tables] of an example, with Delta
    Vector given;            // the same without the outputs that disagree with the truth
    Vector mu;               // E[z] under theta
    Vector given_mu;         // E[z] under given
    Answer best;             // under theta
    Answer completion;       // under given
  };
  class Call;

  LoadedMapSolver solver_;
  HandleUse use_;
  std::uint64_t calls_ = 0;
  std::vector<Scratch> scratches_;  // [threads]
  BlockSums shared_sums_;
};

}  // namespace sculpt::core
