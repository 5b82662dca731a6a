// sections.hpp - the parts of a page, in their order.
//
// Called by page.cpp. Each appends one section with a heading, or nothing if there is nothing to
// show.
#pragma once

#include <string>

#include "report/figure/chart_style.hpp"
#include "report/markup/markup.hpp"
#include "report/sections/report_input.hpp"

namespace sculpt::core {

void write_summary(Markup& out, const ReportInput& input);
// Primal, dual and gap against oracle calls and seconds, and the planes.
void write_progress(Markup& out, const ReportInput& input, const PageLimits& limits);
void write_times(Markup& out, const ReportInput& input);
void write_metrics(Markup& out, const ReportInput& input);
void write_sweeps(Markup& out, const ReportInput& input, const PageLimits& limits);
void write_examples(Markup& out, const ReportInput& input, const PageLimits& limits);
void write_weights(Markup& out, const ReportInput& input, const PageLimits& limits);
void write_settings(Markup& out, const ReportInput& input, const PageLimits& limits);
// Warnings of the runs, damaged lines, and what could not be loaded.
void write_remarks(Markup& out, const ReportInput& input);

// The style of run k: colour, dashes and marker of its own.
CurveStyle style_of_run(std::size_t k);

}  // namespace sculpt::core
