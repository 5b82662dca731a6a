// stored_names.hpp - the names of all weights in the header of a model, for readers without
// plugins.
//
// Called by train, which writes them, and by reports/weight_names.hpp.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "problem/problem.hpp"

namespace sculpt::core {

// The key in the header.
inline constexpr const char* stored_names_key = "weight_names";

// Adds the names of all weights to the header of a model, if they take at most a megabyte. Larger
// ones are left out, because the state of the components has what they are made of. So are those of
// features that give no names or names that are no UTF-8, or that fail: a model must not be lost
// for them. Also with a kernel.
void add_weight_names(Problem& problem, nlohmann::ordered_json& header);

}  // namespace sculpt::core
