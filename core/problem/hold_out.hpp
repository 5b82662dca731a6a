// hold_out.hpp - chooses the examples that training does not see, to measure on them: one fold, or
// a fraction.
//
// The experiment sets it ("hold_out"); Problem and sweep call split_examples(). Groups of examples
// are put in a random order.
// With folds: larger groups come first. Each group goes to the first fold with the fewest examples.
// With a fraction: groups are held out in the random order until the fraction is reached.
//
// So folds are as even as the groups allow. The folds of one seed are a partition of the examples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/components/dataset.hpp"

namespace sculpt::core {

struct HoldOut {
  std::int64_t folds = 0;  // number of folds, at least 2; 0: use `fraction`
  std::int64_t fold = 0;   // the fold that is held out, less than `folds`
  double fraction = 0;     // least fraction of the examples that is held out
  std::int64_t seed = 0;
  // A file with one word per line for each example of the split "train", in their order. Examples
  // with the same word stay together. "": each example is its own group.
  std::string groups;
  std::string position;  // of the key "hold_out" in the experiment, for messages
};

struct HoldOutSplit {
  ExampleList training;
  ExampleList held_out;
};

// Splits the split "train". Throws Failure as the function below, and with Exit::config if the
// dataset has its own split "validation".
HoldOutSplit split_examples(const HoldOut& hold_out, const Dataset& dataset);

// Returns two lists of examples in the order of the dataset, neither of them empty. Throws Failure:
// Exit::missing and Exit::data for the file of groups, Exit::config if a list would be empty.
HoldOutSplit split_examples(const HoldOut& hold_out, Range examples);

}  // namespace sculpt::core
