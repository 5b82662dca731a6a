// probability_evaluation.hpp - measures the probabilities of a model over a list of examples.
//
// Called by evaluate and, after training, by train. Results do not depend on the number of threads.
#pragma once

#include "problem/prediction/probabilities.hpp"

namespace sculpt::core {

// Adds log_loss, perplexity and calibration_error to the metrics of the same examples, if the model
// and its oracle have probabilities. Examples with unknown labels are left out and counted. Takes
// one computation of log Z and the marginals an example. Throws Failure, Cancelled. [main]
void add_probability_metrics(Problem& problem, Probabilities& probabilities,
                             const ExampleList& examples, Evaluation& evaluation);

}  // namespace sculpt::core
