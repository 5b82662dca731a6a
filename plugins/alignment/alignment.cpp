// alignment.cpp - pairs of sequences, their alignments as outputs, and what a wrong one costs.
#include "alignment_features.hpp"
#include "q_loss.hpp"

SCULPT_PLUGIN("alignment", "1.0.0", "Apache-2.0", sculpt::Dataset<alignment::PairsFasta>,
              sculpt::Features<alignment::AlignmentFeatures>, sculpt::Loss<alignment::QLoss>,
              sculpt::Oracle<sculpt::ProgramOracle<alignment::AlignmentFeatures>>)
