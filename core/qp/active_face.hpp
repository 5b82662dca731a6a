// active_face.hpp - the planes that carry alpha, and their products with vectors, on all threads.
//
// Held by FaceAscent. Every sum runs in an order that the planes fix and the number of threads does
// not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class Face {
 public:
  // Both outlive it; workers == nullptr: this thread alone.
  Face(WorkingSet& working_set, Workers* workers) : working_set_(working_set), workers_(workers) {}

  struct Variable {
    const PlaneVector* a;
    double b;
    double squared_norm;  // ||a||^2
    double* alpha;
  };

  // The planes that may move: alpha > 0, but for blocks whose whole mass sits on one plane.
  void gather();

  const std::vector<Variable>& variables() const { return variables_; }
  // Where each block's variables end; blocks stand together.
  const std::vector<std::size_t>& block_ends() const { return block_ends_; }
  double entries() const { return entries_; }  // of all planes: the cost of each product

  // out_k = <a_k, x>
  void multiply(const Vector& x, std::vector<double>& out) const;
  // out = sum of x_k a_k
  void sum(const std::vector<double>& x, Vector& out);

 private:
  void gather_block(Block& block);
  std::size_t chunk_count(std::size_t dimension) const;

  WorkingSet& working_set_;
  Workers* workers_;
  std::vector<Variable> variables_;
  std::vector<std::size_t> block_ends_;
  std::vector<Vector> partial_;  // [chunks] sums of some of the planes
  double entries_ = 0;
};

}  // namespace sculpt::core
