// training_refusal.hpp - why a training on the toy is refused. Every test that is about refusals.
#pragma once

#include "core/problem/toy.hpp"
#include "core/refusal.hpp"

namespace sculpt::core {

inline Refusal training_refusal(const ProblemSpec& choices) {
  return refusal_of([&] { Problem(choices, Purpose::training, 2, {}); });
}

}  // namespace sculpt::core
