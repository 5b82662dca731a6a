// grammar.cpp - a library of bracketed trees: the dataset, the features of context-free grammars,
// and the oracle. Called by the host.
#include "grammar_features.hpp"

SCULPT_PLUGIN("grammar", "1.0.0", "Apache-2.0", sculpt::Dataset<grammar::Trees>,
              sculpt::Features<grammar::GrammarFeatures>,
              sculpt::Oracle<sculpt::ProgramOracle<grammar::GrammarFeatures>>)
