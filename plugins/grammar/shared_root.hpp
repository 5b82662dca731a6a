// shared_root.hpp - the symbol at the top of all trees of a file, if it says nothing of them.
//
// Treebanks put TOP, S1, VROOT or ROOT above each tree. As a bracket it would always be right, so
// evalb leaves it out. Called by the dataset trees.
#pragma once

#include <string>
#include <vector>

#include "bracket_reader.hpp"

namespace grammar {

// Returns the symbol at the top of all trees, if it occurs nowhere else, and is a usual name of a
// root or always has a single node below it. A name that is not usual takes at least two trees. "":
// there is none. Sentences without a tree do not matter, nor trees whose top has no symbol.
std::string shared_root(const std::vector<BracketText>& texts);

}  // namespace grammar
