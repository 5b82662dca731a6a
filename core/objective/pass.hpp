// pass.hpp - the pass over the examples that a question belongs to, and what is asked in it.
//
// Made by the solvers and by verify, read behind the ports.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace sculpt::core {

struct Pass {
  Pass(std::uint64_t pass_number, std::function<bool()> poll = {})
      : number(pass_number), interrupted(std::move(poll)) {}

  std::uint64_t number;  // enters the seeds
  // True when the pass shall be broken off; polled before every example, from any thread. Empty:
  // never.
  std::function<bool()> interrupted;
  // Set: asks for argmax <w, psi> + loss_weight Delta, whatever the formulation, and the plane is
  // a = dpsi, b = loss_weight Delta; 0 asks for a prediction. Unset: for the largest violation, and
  // of expectations for those without a loss.
  std::optional<double> loss_weight;

  // Of planes alone. Expectations ignore `stop_escalating_above` and `next_best_count`; a scale
  // other than 1 is a bug of the caller there, and throws Failure(Exit::internal).

  // The w meant is this times the vector that is handed over: shrinking w costs no pass over it.
  double scale = 1;
  // An oracle made of several asks the next one of an example unless the violation that it has
  // found exceeds this, or none can; called from any thread. Empty: all are asked. Where one argmax
  // does not answer, all are asked in any case.
  std::function<double(std::int64_t example)> stop_escalating_above;
  // So many planes of an example are of use beside the one that is violated most, where the oracle
  // knows them without another call: all classes are scored to find the best.
  std::int64_t next_best_count = 0;
};

}  // namespace sculpt::core
