// contingency.cpp - a library for sets of rows, classified or ordered, with losses on the whole
// set. Called by the host.
#include "set_losses.hpp"
#include "set_oracle.hpp"
#include "svmlight_set.hpp"

using namespace contingency;

SCULPT_PLUGIN("contingency", "1.0.0", "Apache-2.0", sculpt::Dataset<SvmLightSet>,
              sculpt::Features<SetFeatures>, sculpt::Loss<FBeta>, sculpt::Loss<ErrorRate>,
              sculpt::Loss<BalancedError>, sculpt::Loss<BreakEven>, sculpt::Loss<PrecisionAt>,
              sculpt::Loss<RecallAt>, sculpt::Loss<RocArea>, sculpt::Loss<AveragePrecision>,
              sculpt::Oracle<SetOracle>)
