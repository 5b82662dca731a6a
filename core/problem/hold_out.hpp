// hold_out.hpp - examples that are kept from training, to measure on: folds, or a part.
//
// The choice of an experiment ("hold_out"), made good by Problem. Groups of examples are put in a
// random order and dealt, larger ones first: each to the fold that has the fewest examples so far,
// the first of them; or, in the random order, held out until the fraction is reached. So folds are
// as even as groups allow, and the folds of one seed are a partition of the examples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/components/dataset.hpp"

namespace sculpt::core {

struct HoldOut {
  std::int64_t folds = 0;  // at least 2, or 0: there is a fraction
  std::int64_t fold = 0;   // the one that is held out, below `folds`
  double fraction = 0;     // of the examples, at least
  std::int64_t seed = 0;
  // A file with one word a line for each example of the split "train", in their order; examples of
  // the same word stay together. "": each is a group of its own.
  std::string groups;
  std::string place;  // where the experiment says so, for messages
};

struct HoldOutSplit {
  ExampleList training;
  ExampleList held_out;
};

// Of the split "train". Throws Failure as below, and Exit::config when the dataset has a split
// "validation" of its own.
HoldOutSplit split_examples(const HoldOut& hold_out, const Dataset& dataset);

// Both in the order of the dataset, and neither empty. Throws Failure: Exit::missing and Exit::data
// for the file, Exit::config when one of them would be empty.
HoldOutSplit split_examples(const HoldOut& hold_out, Range examples);

}  // namespace sculpt::core
