#include "base/text/shell_word.hpp"

#include <algorithm>

namespace sculpt::core {

std::string shell_word(const std::string& word) {
  const std::string safe_marks = "-_./=+,:@%";
  const bool is_safe = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           safe_marks.find(c) != std::string::npos;
  });
  if (is_safe) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace sculpt::core
