// explanation.hpp - why a model gives the output that it gives for one example.
//
// Called by explain. Two outputs are compared, the first and the second:
//
//   the guess is wrong   truth        guess
//   it is right          truth        the second best output, or the most violating one
//   only its loss is 0   guess        the same
//   there is no truth    guess        the second best output
//
// The second best comes from an oracle that lists the k best. Others are asked for the output of
// largest score + loss. Without a second output, the first one alone is explained.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/inputs/loaded_model.hpp"
#include "command/reports/weight_names.hpp"
#include "problem/prediction/output_comparison.hpp"
#include "problem/prediction/predictor.hpp"

namespace sculpt::core {

// An output with its role in the comparison.
struct ExplainedOutput {
  std::string role;  // "truth", "guess", "second best output", "most violating output"
  Prediction output;
  double score = 0;
  std::optional<double> probability = {};  // of a model that has probabilities
  std::optional<double> loss = {};         // Delta(truth, output), if there is a truth
};

// What the support atoms of one training example add.
struct SupportShare {
  std::int64_t example = 0;  // by its number in the training data
  double share = 0;
};

struct Explanation {
  std::int64_t example = 0;  // in the dataset of the model
  std::int64_t number = 0;   // in DATA
  std::string place;         // "test.txt:17"; "": not known
  std::optional<ExplainedOutput> truth;
  std::optional<ExplainedOutput> guess;  // nothing: the oracle reports that there is no output
  std::optional<ExplainedOutput> other;  // the second output, if it is not the guess
  std::vector<std::string> notes;        // sentences
  std::vector<WeightShare> weights;      // all, the largest first
  PartShares parts;
  std::vector<SupportShare> support;  // all, the largest first

  // The two outputs that are compared. The second may be nullptr, the first only without any
  // output.
  const ExplainedOutput* first() const;
  const ExplainedOutput* second() const;
  // There is a truth, and the guess is the same or its loss is 0.
  bool is_right() const;
};

// Explains example `number` of the data, counted from 0. Finds the weights of the `max_parts`
// largest parts. Throws Failure: Exit::usage if the data have fewer examples.
Explanation explain_example(LoadedModel& model, std::int64_t number, std::size_t max_parts);

}  // namespace sculpt::core
