// component_spec.hpp - a component that an experiment or a model chooses.
//
// Made by assembly.cpp, read by Problem.
#pragma once

#include <sculpt/parameter.h>
#include <sculpt/plugin.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/plugin/key_positions.hpp"

namespace sculpt::core {

struct ComponentSpec {
  const sculpt_component* description = nullptr;  // as Registry::find returns it
  std::span<const sculpt_value> parameters;       // checked; must live until Problem is constructed
  std::optional<std::string> state;               // bytes from a model
  std::string position = {};           // of "use" in the experiment, for messages; "": none
  std::vector<KeyPosition> keys = {};  // positions of its own keys, for messages
  std::string state_file = {};         // the model that must have its state; "": none

  // Names of components that could take its place, for messages. They are known to work with the
  // features, and other features with the dataset.
  std::vector<std::string> alternatives = {};
};

}  // namespace sculpt::core
