// refusal.hpp - the message and the exit code of a Failure, for tests of bad input.
#pragma once

#include <optional>
#include <string>

#include "failure.hpp"

// What `action` was refused with; the text is "(accepted)" when it was not.
struct Refusal {
  std::optional<sculpt::core::Exit> exit;
  std::string text = "(accepted)";
};

template <typename Action>
Refusal refusal_of(Action&& action) {
  try {
    action();
    return {};
  } catch (const sculpt::core::Failure& failure) {
    return {failure.exit(), failure.what()};
  }
}
