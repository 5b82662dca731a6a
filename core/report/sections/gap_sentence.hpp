// gap_sentence.hpp - what the gap of a run means, in a sentence with its numbers.
//
// Called by summary_section.cpp.
#pragma once

#include <string>

#include "report/record/run_record.hpp"

namespace sculpt::core {

std::string gap_sentence(const RunRecord& run);

// "finished", "running", "failed" or "ended without a result", and why.
std::string state_text(const RunRecord& run);

}  // namespace sculpt::core
