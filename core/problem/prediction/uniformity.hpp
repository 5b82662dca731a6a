// uniformity.hpp - finds that a model predicts the same for all examples: no parts at all, one
// output, or one label everywhere.
//
// Such a model has learned nothing, or its loss is best served by an empty output. Measures alone
// may hide that. Called by Predictor, which adds all labelled examples.
#pragma once

#include <sculpt/ext/items.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/components/dataset.hpp"

namespace sculpt::core {

// What all predictions have in common, where the truths differ.
enum class Uniform {
  no,         // the predictions differ, or fewer than two examples are labelled
  empty,      // no guess has a part (sculpt/ext/items.h), but truths have some
  one_output  // all guesses are equal; without parts, also if all their labels are one number
};

// The outputs of a list of examples. Adding examples one by one or lists in order gives the same.
class Uniformity {
 public:
  // `guess.data` is NULL for an example without an output. [worker]
  void add(const Dataset& dataset, std::int64_t example, sculpt_labels truth, sculpt_labels guess);
  void add(const Uniformity& other);

  Uniform kind() const;
  // A sentence with a printed guess, such as "all 30 predictions are empty ...". "": Uniform::no,
  // or the same labels mean something else in each example, as documents of a topic do. [main]
  std::string text(const Dataset& dataset) const;

 private:
  // A list of outputs: whether they are all equal, and whether all labels are one number.
  struct Outputs {
    std::vector<std::int32_t> first;
    std::optional<std::int32_t> label;  // the first of all labels
    std::int64_t count = 0;
    bool are_equal = true;
    bool have_one_label = true;  // all labels are `label`
    bool have_parts = false;     // one of them, as far as anyone asked

    void add(std::span<const std::int32_t> labels);
    void add(const Outputs& other);
  };

  Outputs truths_;
  Outputs guesses_;
  std::int64_t first_example_ = 0;  // of guesses_
  std::int64_t last_example_ = 0;   // likewise
  bool knows_parts_ = true;         // the dataset has said which parts the outputs have
};

}  // namespace sculpt::core
