// experiment_text.hpp - from the text of an experiment to live components, as the commands make
// them, with the plugins that were built beside the targets.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "launch/assembly.hpp"
#include "problem/problem.hpp"
#include "registry/registry.hpp"

namespace sculpt::core::fuzz {

// Libraries stay loaded from one input to the next.
Registry& registry();

// Requires an experiment that names its components right. Throws Failure.
Assembly assembly_of(const std::string& experiment);

// Labels what the dataset holds as the commands do: the truth of every example as text, then the
// outputs of a prediction with some weights. Throws Failure.
void use_examples(Problem& problem);

// Input of a dataset: its parameters as one line of JSON, the text of `train`, a line "=====" and
// the text of `test`. Trains nothing, but goes up to there; then restores what was learned, as a
// model would, and predicts `test`, or `train` when that is empty. `rest`: the other components, as
// members of the experiment. Throws Failure.
void read_dataset(const std::string& name, const std::string& rest, std::string_view input);

// The rows of a component that come in front of what read_dataset() takes: the lines up to one
// "-----", as a member of JSON, `"rows": ["A -> B C", ...]` where `key` is rows. Without such a
// line there are none, and the member is "".
struct Rows {
  std::string member;
  std::string_view behind;
};
Rows rows_in_front(std::string_view input, const std::string& key);

}  // namespace sculpt::core::fuzz
