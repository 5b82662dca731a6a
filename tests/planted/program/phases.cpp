// phases.cpp - the catalogue of the plugin: signals in phases, each phase with a label.
#include "features.hpp"

SCULPT_PLUGIN("phases", "1.0.0", "Apache-2.0", sculpt::Dataset<phases::Recordings>,
              sculpt::Features<phases::Segments>,
              sculpt::Oracle<sculpt::ProgramOracle<phases::Segments>>)
