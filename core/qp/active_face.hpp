// active_face.hpp - the planes with alpha > 0, and their products with vectors, on all threads.
//
// Held by FaceAscent. The order of every sum depends on the planes, not on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class ActiveFace {
 public:
  // Both must outlive it; workers == nullptr: this thread alone.
  ActiveFace(WorkingSet& working_set, Workers* workers)
      : working_set_(working_set), workers_(workers) {}

  struct Variable {
    const PlaneVector* a;
    double b;
    double squared_norm;  // ||a||^2
    double* alpha;
  };

  // Collects the planes that may move: alpha > 0, unless one plane has all of a block's
  // alpha.
  void collect();

  const std::vector<Variable>& variables() const { return variables_; }
  // The end of each block's variables. The variables of a block are consecutive.
  const std::vector<std::size_t>& block_ends() const { return block_ends_; }
  double entries() const { return entries_; }  // of all planes: the cost of each product

  // out_k = <a_k, x>
  void multiply(const Vector& x, std::vector<double>& out) const;
  // out = sum of x_k a_k
  void sum(const std::vector<double>& x, Vector& out);

 private:
  void collect_block(Block& block);
  std::size_t chunk_count(std::size_t dimension) const;

  WorkingSet& working_set_;
  Workers* workers_;
  std::vector<Variable> variables_;
  std::vector<std::size_t> block_ends_;
  std::vector<Vector> partial_sums_;  // [chunks]
  double entries_ = 0;
};

}  // namespace sculpt::core
