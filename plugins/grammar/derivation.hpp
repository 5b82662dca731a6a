// derivation.hpp - finds the edges of a chart that make a given tree. Used by grammar_features.hpp.
#pragma once

#include <algorithm>

#include "grammar.hpp"

namespace grammar {

// Returns true if the grammar makes the tree: all of its rules and chains are known. `edges` then
// contains the packed names of its derivation, without passes, in ascending order. Otherwise
// `edges` is empty.
bool derive(const Grammar& grammar, const std::vector<Node>& nodes,
            const std::vector<std::int32_t>& terminals, std::vector<std::int64_t>& edges);

}  // namespace grammar
