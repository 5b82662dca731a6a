// diversity.cpp - a library that chooses documents of a topic that cover as many subtopics as
// possible. Called by the host.
#include "coverage_oracles.hpp"

using namespace diversity;

SCULPT_PLUGIN("diversity", "1.0.0", "Apache-2.0", sculpt::Dataset<Topics>,
              sculpt::Features<CoverageFeatures>, sculpt::Loss<SubtopicsLoss>,
              sculpt::Oracle<GreedyCoverage>, sculpt::Oracle<ExactCoverage>)
