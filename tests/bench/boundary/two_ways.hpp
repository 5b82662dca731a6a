// two_ways.hpp - the argmax of chain and viterbi in two ways: through the C interface, and without
// it.
//
// Used by boundary_call, which counts instructions, and by micro-benchmarks.
#pragma once

#include <memory>

#include "problem/problem.hpp"

namespace sculpt::core::bench {

// The loaded plugins, called through the host as in predict.
class Shipped {
 public:
  explicit Shipped(Problem& problem) : problem_(problem) {}
  void argmax(std::int64_t example, const Vector& w, Answer& answer);

 private:
  Problem& problem_;
};

// The sources of chain and viterbi compiled into this program, without the C interface. Both ways
// use the dataset through the C interface. `problem` must have features chain with a bias and
// without start_end, and the oracle viterbi with defaults. It must outlive this object.
class Compiled {
 public:
  explicit Compiled(Problem& problem);
  ~Compiled();

  void argmax(std::int64_t example, const Vector& w, Answer& answer);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Returns made-up weights, none of them 0.
Vector some_weights(std::int64_t dimension);

}  // namespace sculpt::core::bench
