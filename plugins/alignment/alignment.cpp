// alignment.cpp - a library for pairs of sequences: alignments as outputs, their losses, and the
// choice of the homolog of a sequence. Called by the host.
#include "alignment_features.hpp"
#include "decoy_loss.hpp"
#include "homolog_features.hpp"
#include "q_loss.hpp"

SCULPT_PLUGIN("alignment", "1.0.0", "Apache-2.0", sculpt::Dataset<alignment::PairsFasta>,
              sculpt::Features<alignment::AlignmentFeatures>, sculpt::Loss<alignment::QLoss>,
              sculpt::Oracle<sculpt::ProgramOracle<alignment::AlignmentFeatures>>,
              sculpt::Features<alignment::HomologFeatures>, sculpt::Loss<alignment::DecoyLoss>,
              sculpt::Oracle<sculpt::ProgramOracle<alignment::HomologFeatures>>)
