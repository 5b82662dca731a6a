// run_contents.hpp - loads what a report shows of the model and the data of a run.
//
// Called by report. What cannot be loaded becomes a remark: the rest of the page is still made.
#pragma once

#include <string>
#include <vector>

#include "experiment/overrides.hpp"
#include "launch/console.hpp"
#include "report/record/run_content.hpp"
#include "report/record/run_record.hpp"

namespace sculpt::core {

struct ContentOptions {
  std::vector<Override> overrides;  // where the data are
  int threads = 1;
  std::int64_t examples = 8;  // of each list; 0: nothing is loaded
  std::int64_t weights = 20;
  // If the oracle is expected to take more seconds for all examples, it is not asked about them.
  double max_seconds = 60;
};

// Throws Failure only if the process must end, and Cancelled.
RunContent load_content(const RunRecord& run, const ContentOptions& options, Console& console);

}  // namespace sculpt::core
