// talks.cpp - the catalogue of the plugin: which talks of a day does somebody attend?
#include "oracle.hpp"

SCULPT_PLUGIN("talks", "1.0.0", "Apache-2.0", sculpt::Dataset<talks::Days>,
              sculpt::Features<talks::Bag>, sculpt::Loss<talks::Jaccard>,
              sculpt::Oracle<talks::Planner>)
