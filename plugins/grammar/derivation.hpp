// derivation.hpp - the edges of a chart that make a given tree. Used by grammar_features.hpp.
#pragma once

#include <algorithm>

#include "grammar.hpp"

namespace grammar {

// Whether the grammar makes the tree: all of its rules are known, and its chains are. Then `edges`
// has the packed names of its derivation but for passes, in ascending order; else it is empty.
bool derive(const Grammar& grammar, const std::vector<Node>& nodes,
            const std::vector<std::int32_t>& terminals, std::vector<std::int64_t>& edges);

}  // namespace grammar
