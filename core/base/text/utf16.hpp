// utf16.hpp - tells text of Windows programs in UTF-16, which no reader here accepts.
//
// Called by readers of files that users write.
#pragma once

#include <string_view>

namespace sculpt::core {

// True if the text begins with a byte order mark of UTF-16.
inline bool is_utf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

inline constexpr const char* utf16_message =
    "the text is UTF-16; save it as UTF-8, for example by iconv -f UTF-16 -t UTF-8";

}  // namespace sculpt::core
