// shared_root.hpp - the symbol at the top of all trees of a file, if it says nothing of them.
//
// Treebanks put TOP, S1, VROOT or ROOT above each tree. As a bracket it would always be right, so
// evalb leaves it out. Called by the dataset trees.
#pragma once

#include <string>
#include <vector>

#include "bracket_reader.hpp"

namespace grammar {

// Returns the symbol at the top of all trees, if it is one of these names and occurs nowhere else.
// "": there is none. Sentences without a tree do not matter, nor trees whose top has no symbol.
std::string shared_root(const std::vector<BracketText>& texts);

}  // namespace grammar
