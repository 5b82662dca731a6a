// default_cost.hpp - the C with which a task trains unless the user sets another one.
//
// Joachims' SVM-light takes 1 / mean |x|^2 as the price of an example. Then one example at its
// upper bound changes its own margin by about 1. In the objective of this program the price is
// C / n:
//
//   rows       C = f n / mean |x|^2   over all rows x: tokens, pixels, documents
//   all_rows   C = f m / mean |x|^2   with the number m of rows, for sets that are one example
//   examples   C = f n                for features that do not come from rows
//
// The factors f are in the files of tasks/; core/command/README.md tells where they come from.
//
// Called by task_experiment.cpp.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiment/experiment.hpp"
#include "launch/assembly.hpp"

namespace sculpt::core {

struct TrainingSize {
  std::int64_t examples = 0;
  std::int64_t rows = 0;   // 0: the dataset offers no rows
  double mean_square = 0;  // mean |x|^2 of the rows, scaled as the dataset scales them
};

// Reads the training data alone, as train does, and checks that the components fit. Prints no
// messages of the components: train prints them. Throws Failure, Cancelled.
TrainingSize measure_training_data(const Assembly& assembly, int threads);

// C with two digits, which people can type.
double rounded_cost(double C);

struct DefaultCost {
  double C = 1;
  std::string reason;  // "8936 examples / 20.4, the mean squared length of a row"
};

// `rule`: the key C of a task. C has two digits.
DefaultCost default_cost(const nlohmann::ordered_json& rule, const TrainingSize& size);

}  // namespace sculpt::core
