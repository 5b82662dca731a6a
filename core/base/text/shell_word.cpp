#include "base/text/shell_word.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// $'...' with \xNN for all bytes that are no visible ASCII.
std::string escaped_word(const std::string& word) {
  std::string text = "$'";
  for (const char c : word) {
    if (c == '\'' || c == '\\') {
      text += std::string("\\") + c;
    } else if (c >= ' ' && c <= '~') {
      text += c;
    } else {
      char byte[8];
      std::snprintf(byte, sizeof byte, "\\x%02x",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      text += byte;
    }
  }
  return text + "'";
}

}  // namespace

std::string shell_word(const std::string& word) {
  const std::string safe_marks = "-_./=+,:@%";
  const bool is_safe = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           safe_marks.find(c) != std::string::npos;
  });
  if (is_safe) return word;
  if (printable(word) != word) return escaped_word(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace sculpt::core
