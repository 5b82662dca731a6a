// contract.hpp - what the host promises for any bytes: they are accepted, or refused with a
// sentence and an exit code that says whose fault it is.
//
// Called by every target with what it does with its input. Whatever else escapes ends the process,
// which libFuzzer reports as a finding.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>

#include "base/failure.hpp"

namespace sculpt::core::fuzz {

// libFuzzer's input as text.
std::string_view text_of(const std::uint8_t* data, std::size_t size);

// Splits `text` behind the first `mark`, which neither part holds; without one the rest is empty.
struct Parts {
  std::string_view first, rest;
};
Parts split_at(std::string_view text, std::string_view mark);

// Calls `use`, which may throw Failure with one of the exits. Keeps what it prints from the screen.
// Ends the process where the Failure has another exit, no text, or the text that stands for an
// exception a plugin did not expect. With FUZZ_TELL in the environment each refusal is printed, to
// see what becomes of a single input. Returns 0, what LLVMFuzzerTestOneInput returns.
int expect(std::initializer_list<Exit> exits, const std::function<void()>& use);

}  // namespace sculpt::core::fuzz
