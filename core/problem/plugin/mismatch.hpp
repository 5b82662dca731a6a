// mismatch.hpp - the failure of a component that cannot work with the others.
//
// Thrown by Component, caught by with_alternatives(). To all other code it is a Failure.
#pragma once

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "problem/plugin/component_spec.hpp"

namespace sculpt::core {

class Mismatch : public Failure {
 public:
  explicit Mismatch(const Failure& failure) : Failure(failure) {}
};

// Calls function(). If it refuses the other components, adds to the message what could take the
// place of the component: "; known to work here: hamming, zero_one".
template <class Function>
decltype(auto) with_alternatives(const ComponentSpec& spec, Function&& function) {
  try {
    return function();
  } catch (const Mismatch& mismatch) {
    if (spec.alternatives.empty()) throw;
    const std::string names = joined(spec.alternatives, ", ");
    throw mismatch.with_text(mismatch.what() + std::string("; known to work here: ") + names);
  }
}

}  // namespace sculpt::core
