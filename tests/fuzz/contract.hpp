// contract.hpp - the promise of the host for any input bytes. It accepts them, or refuses them with
// a message and an exit code.
//
// Every target calls expect(). Any other exception ends the process, and libFuzzer reports a
// finding.
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

// Splits `text` at the first `separator`, which is in neither part. Without one the rest is empty.
struct Parts {
  std::string_view first, rest;
};
Parts split_at(std::string_view text, std::string_view separator);

// Calls `use`, which may throw Failure with one of the exits. Hides what it prints. Ends the
// process if the Failure has another exit, no text, or the text for an unexpected exception in a
// plugin. With FUZZ_TELL in the environment each refusal is printed. Returns 0, the result that
// LLVMFuzzerTestOneInput needs.
int expect(std::initializer_list<Exit> exits, const std::function<void()>& use);

}  // namespace sculpt::core::fuzz
