// rna.cpp - a library for secondary structures of RNA. It has a dataset of sequences with dots and
// brackets, features by a grammar with pairs, and the oracle of its dynamic program. Called by the
// host.
#include "rna_features.hpp"

SCULPT_PLUGIN("rna", "1.1.0", "Apache-2.0", sculpt::Dataset<rna::DotBracket>,
              sculpt::Features<rna::RnaFeatures>,
              sculpt::Oracle<sculpt::ProgramOracle<rna::RnaFeatures>>)
