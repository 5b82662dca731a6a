// pass.hpp - what a solver asks for in one pass over the examples.
//
// Made by the solvers and by verify, read by the implementations of the ports.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "base/cancelled.hpp"

namespace sculpt::core {

struct Pass {
  Pass(std::uint64_t pass_number, std::function<bool()> poll = {})
      : number(pass_number), interrupted(std::move(poll)) {}

  // Throws Cancelled. [any]
  void throw_if_interrupted() const {
    if (interrupted && interrupted()) throw Cancelled();
  }

  std::uint64_t number;  // the seeds depend on it
  // True if the pass must be interrupted. Called before every example, from any thread. Empty:
  // never interrupted.
  std::function<bool()> interrupted;
  // Set: asks for argmax <w, psi> + loss_weight Delta, in every formulation. The plane is then a =
  // dpsi, b = loss_weight Delta. 0 asks for a prediction. Not set: asks for the largest violation,
  // and for expectations without a loss.
  std::optional<double> loss_weight;

  // The query is about `scale` times the w passed. So shrinking w needs no pass over its entries.
  // Planes and cells support it. For expectations a scale other than 1 is a bug of the caller, and
  // throws Failure(Exit::internal): a Residual has its own.
  double scale = 1;
  // Only for cells: plugins are told of no stop, and one that gives up all the same is at fault. So
  // a step that has begun to change w ends.
  bool must_finish = false;

  // Only for planes: the other ports ignore what follows.

  // For a list of oracles. The next oracle is skipped if the violation found so far is larger than
  // this, or if no larger one can exist. Called from any thread. Empty: no oracle is skipped. If
  // one argmax is not enough, no oracle is skipped in any case.
  std::function<double(std::int64_t example)> stop_escalating_above;
  // False if the planes only measure P, so that none of them changes w. Then rows of a kernel need
  // not be prepared.
  bool makes_steps = true;
  // The number of planes of an example that are useful in addition to the most violated one. The
  // oracle gives them only if they need no further call, as when it scores all classes.
  std::int64_t next_best_count = 0;
};

}  // namespace sculpt::core
