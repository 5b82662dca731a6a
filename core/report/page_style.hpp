// page_style.hpp - the style sheet and the script of a page.
//
// Called by page.cpp. Neither has "<", "&" or ">", so that the page is also XML.
#pragma once

#include <string_view>

namespace sculpt::core {

std::string_view page_style();
// Reads the values of figures off at the pointer. The page is complete without it.
std::string_view page_script();

}  // namespace sculpt::core
