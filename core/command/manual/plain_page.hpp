// plain_page.hpp - a manual page as plain text, for terminals without man(1).
//
// Called by man_reader.cpp.
#pragma once

#include <string>

namespace sculpt::core {

// `page`: what man_page() made. Knows the few macros and escapes that it writes, and no others.
// Lines have at most 78 columns, unless a word is longer.
std::string plain_page(const std::string& page);

}  // namespace sculpt::core
