// line_ends.hpp - a text with CRLF line ends. Used by the tests of datasets.
#pragma once

#include <string>

namespace plugin_test {

inline std::string with_crlf(const std::string& text) {
  std::string result;
  for (const char character : text) {
    if (character == '\n') result += '\r';
    result += character;
  }
  return result;
}

}  // namespace plugin_test
