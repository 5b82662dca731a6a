// report_input.hpp - what a page shows, and how much of it.
//
// Filled by the command report. Read by the sections of the page.
#pragma once

#include <cstddef>
#include <vector>

#include "report/record/run_content.hpp"
#include "report/record/run_record.hpp"
#include "report/record/sweep_record.hpp"

namespace sculpt::core {

struct ReportInput {
  std::vector<RunRecord> runs;
  std::vector<RunContent> contents;  // [runs]
  std::vector<SweepRecord> sweeps;
};

// How much of each part a page shows. Lower limits make a smaller page.
struct PageLimits {
  std::size_t points = 160;    // of each curve; several runs share them
  std::size_t examples = 64;   // of each list of each run
  std::size_t lines = 40;      // of each example, out of its file
  std::size_t weights = 64;    // of each run
  std::size_t settings = 200;  // rows
  std::size_t cells = 400;     // rows of a table of a sweep

  // The next smaller limits. False if there are none.
  bool shrink();
};

}  // namespace sculpt::core
