// shell_word.hpp - quotes words of a command line that users may copy.
//
// Called by command/ and sweep/plan.
#pragma once

#include <string>

namespace sculpt::core {

// The word for a command line, so that a shell reads exactly this word. It is in single quotes if
// the shell gives one of its characters a meaning. It is $'...' with \xNN if it has characters that
// printable() changes, so that the result is safe for a terminal. Else it is unchanged.
std::string shell_word(const std::string& word);

}  // namespace sculpt::core
