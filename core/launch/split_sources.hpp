// split_sources.hpp - the splits of an experiment, as a Problem loads them.
//
// Called by the commands and by run_identity.cpp.
#pragma once

#include <string>
#include <vector>

#include "experiment/experiment.hpp"
#include "problem/components/dataset.hpp"

namespace sculpt::core {

// The end of a message about a missing file of this split: its key, and the variable SCULPT_DATA if
// its path was written with it. "" for inline data and arrays. Used by data_hashes() too.
std::string missing_file_advice(const Split& split);

// The splits of an experiment, as a Problem loads them. Throws Failure(Exit::config) if one is
// arrays that no program lends.
std::vector<SplitSource> sources_of(const Experiment& experiment);

}  // namespace sculpt::core
