// decode_option.hpp - the option --decode of predict and evaluate: how outputs are found.
#pragma once

#include "command/command.hpp"
#include "problem/prediction/predictor.hpp"
#include "problem/prediction/probabilities.hpp"

namespace sculpt::core {

void add_decode_option(CommandLine& line);  // [main]
// Throws Failure(Exit::usage) for a value that does not exist. [main]
void check_decode_option(const CommandLine& line);
// True for max-marginal. [main]
bool decodes_marginals(const CommandLine& line);
// With max-marginal, the predictor gives the most probable label at each position from now on. The
// probabilities must outlive it. Throws Failure(Exit::config) if the model or its oracle has no
// marginals. [main]
void apply_decode_option(const CommandLine& line, Probabilities& probabilities,
                         Predictor& predictor);

}  // namespace sculpt::core
