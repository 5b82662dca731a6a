// experiment_text.hpp - makes components from the text of an experiment, as the commands do, with
// the plugins that are built with the targets. Called by the targets.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "launch/assembly.hpp"
#include "problem/problem.hpp"
#include "registry/registry.hpp"

namespace sculpt::core::fuzz {

// The same registry for all inputs, so that libraries stay loaded.
Registry& registry();

// Requires an experiment with right names of components. Throws Failure.
Assembly assembly_of(const std::string& experiment);

// Formats the truth of every example, and then the outputs of a prediction with fixed weights.
// Throws Failure.
void use_examples(Problem& problem);

// `input` is the parameters of the dataset as one line of JSON, the text of `train`, a line "====="
// and the text of `test`. Prepares training, but does not train. Then restores the learned state,
// as from a model, and predicts `test`, or `train` if `test` is empty. `rest`: the other
// components, as members of the experiment. Skips packed texts: a few bytes of them unpack to
// hundreds of megabytes, and the target `packed` reads those. Throws Failure.
void read_dataset(const std::string& name, const std::string& rest, std::string_view input);

// Splits the rows of a component from the input of read_dataset(). They are the lines up to a line
// "-----". `member`: the rows as a member of JSON, such as `"rows": ["A -> B C", ...]` for the key
// `rows`. It is "" without such a line.
struct Rows {
  std::string member;
  std::string_view rest;
};
Rows leading_rows(std::string_view input, const std::string& key);

}  // namespace sculpt::core::fuzz
