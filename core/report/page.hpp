// page.hpp - a report as one HTML page that needs nothing else: no server, no network, no script.
//
// The page is also well-formed XML. Called by the command report.
#pragma once

#include <string>

#include "report/sections/report_input.hpp"

namespace sculpt::core {

inline constexpr std::size_t max_page_bytes = 300'000;

// The page. Lists are shorter, and curves have fewer points, if it would else exceed
// max_page_bytes. Only dozens of runs can exceed it all the same. Requires contents.size() ==
// runs.size().
std::string report_page(const ReportInput& input);

// True if this is the beginning of a page that report_page() made: at least its first 512 bytes.
bool is_report_page(std::string_view beginning);

}  // namespace sculpt::core
