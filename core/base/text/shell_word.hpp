// shell_word.hpp - quotes words of a command line that users may copy.
//
// Called by command/ and sweep/plan.
#pragma once

#include <string>

namespace sculpt::core {

// The word as a shell reads it as one word: unchanged, or in quotes.
std::string shell_word(const std::string& word);

}  // namespace sculpt::core
