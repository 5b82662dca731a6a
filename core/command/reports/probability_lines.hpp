// probability_lines.hpp - what predict prints of the outputs besides the best one.
//
//   --nbest K     for each example K times: a line "# rank 1 score 3.5 probability 0.7", then the
//                 output in the format of the dataset. Models without probabilities have none
//   --sample K    the same for draws: "# draw 1 score 3.5 probability 0.7"
//   --marginals   a line for each position, with the probability of each label; the first line,
//                 with "#", names the labels. Label sets: a line for each example, with the
//                 probability that each label is on. An empty line follows where predict prints one
//                 (conll: after a sentence), so the lines of both belong together
//
// An example without an output has the line "# no output". Under --marginals it has an empty line
// where predict prints one beside other lines (sentences, label sets), else none.
#pragma once

#include <cstdint>

#include "command/inputs/loaded_model.hpp"
#include "problem/prediction/probabilities.hpp"

namespace sculpt::core {

// Each throws Failure(Exit::config) if the oracle or the model does not offer it.
void print_k_best(LoadedModel& model, Probabilities& probabilities, std::int64_t count);
void print_draws(LoadedModel& model, Probabilities& probabilities, std::int64_t count,
                 std::uint64_t seed);
// `names_labels`: begins with the line that names them. Returns true if an example has an output.
bool print_marginals(LoadedModel& model, Probabilities& probabilities, bool names_labels);

// Warns if these came from an approximation of log Z. Called after they are printed. Warns once for
// all parts of the data.
void warn_if_approximate(const LoadedModel& model, const Probabilities& probabilities);

}  // namespace sculpt::core
