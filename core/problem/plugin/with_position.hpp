// with_position.hpp - adds the position of a component in the experiment to messages about it.
//
// Called by Problem and KernelComponents.
#pragma once

#include <string>

#include "base/failure.hpp"
#include "problem/plugin/component_spec.hpp"
#include "problem/plugin/key_positions.hpp"

namespace sculpt::core {

// Calls function(). If it refuses the experiment (Exit::config), adds the position of the component
// or of the wrong key to the message.
template <class Function>
decltype(auto) with_position(const ComponentSpec& spec, Function&& function) {
  try {
    return function();
  } catch (const Failure& failure) {
    if (failure.exit_code() != Exit::config || spec.position.empty()) throw;
    const std::string key = position_of_key(spec.keys, failure.what());
    throw failure.with_text((key.empty() ? spec.position : key) + ": " + failure.what());
  }
}

}  // namespace sculpt::core
