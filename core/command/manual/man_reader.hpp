// man_reader.hpp - shows a manual page to a person at a terminal.
//
// Called by man.cpp.
#pragma once

#include <string>

namespace sculpt::core {

// Opens the page in man(1), which pages it. False if there is no man(1), or if it fails. `page`:
// what man_page() made. Ignores SIGPIPE from now on: the user may leave before the end.
bool open_in_man(const std::string& page);

}  // namespace sculpt::core
