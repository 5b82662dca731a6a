// shell_word.hpp - words of a command line that is printed for people to copy.
#pragma once

#include <string>

namespace sculpt::core {

// As a shell takes it for one word: unchanged, or in quotes.
std::string shell_word(const std::string& word);

}  // namespace sculpt::core
