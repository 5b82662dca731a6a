// two_ways.hpp - the argmax of chain and viterbi through the C interface, and without it.
//
// Used by boundary_call, which counts instructions, and by the micro-benchmark oracle_call.
#pragma once

#include <memory>

#include "problem/problem.hpp"

namespace sculpt::core::bench {

// Chain and viterbi as they are loaded, asked through the host as predict asks them.
class Shipped {
 public:
  explicit Shipped(Problem& problem) : problem_(problem) {}
  void ask(std::int64_t example, const Vector& w, Answer& answer);

 private:
  Problem& problem_;
};

// Their sources, compiled into this program, with no interface in between but that of the dataset,
// which both have. Chain has a bias and no start_end, viterbi is as it is by default: `problem` has
// to be such, and outlives this.
class Compiled {
 public:
  explicit Compiled(Problem& problem);
  ~Compiled();

  void ask(std::int64_t example, const Vector& w, Answer& answer);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Some weights, none of them 0.
Vector some_weights(std::int64_t dimension);

}  // namespace sculpt::core::bench
