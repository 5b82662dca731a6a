// refusal.hpp - the error text and the exit code of a call that must fail.
//
// A call that succeeds has Exit::reached and the text "(accepted)".
#pragma once

#include <string>

#include "base/failure.hpp"

namespace sculpt::core {

struct Refusal {
  Exit exit = Exit::reached;
  std::string text = "(accepted)";
  bool says(const std::string& part) const { return text.find(part) != std::string::npos; }
};

template <class Call>
Refusal refusal_of(Call&& call) {
  try {
    call();
  } catch (const Failure& failure) {
    return {failure.exit_code(), failure.what()};
  }
  return {};
}

}  // namespace sculpt::core
