// training_refusal.hpp - the error of a training problem of the toy.
//
// Called by the tests of refusals.
#pragma once

#include "core/problem/toy.hpp"
#include "core/refusal.hpp"

namespace sculpt::core {

inline Refusal training_refusal(const ProblemSpec& spec) {
  return refusal_of([&] { Problem(spec, Purpose::training, 2, {}); });
}

}  // namespace sculpt::core
