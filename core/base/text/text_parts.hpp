// text_parts.hpp - splits a text into words, characters and lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sculpt::core {

// The words between blanks, tabs and line ends.
std::vector<std::string> words_of(std::string_view text);
// The characters of UTF-8. A byte that is none stands alone.
std::vector<std::string> characters_of(std::string_view text);
// The lines, without empty ones at the end.
std::vector<std::string> lines_of(std::string_view text);
// True for a whole number of at most 18 digits.
bool is_whole_number(std::string_view word);

}  // namespace sculpt::core
