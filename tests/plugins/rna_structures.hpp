// rna_structures.hpp - secondary structures by plain recursion, and what G6 says of them: the
// answers that the plugin rna is held against. Shares no code with it.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <map>

namespace plugin_test {

std::string random_sequence(Random& random, int bases);

// All structures whose pairs have at least so many bases between them, as partners. `canonical`:
// only AU, CG and GU pair.
std::vector<Outputs> all_structures(const std::string& sequence, int min_between, bool canonical);

// Dots and brackets of partners, and back.
std::string brackets(const Outputs& y);
Outputs partners(const std::string& brackets);

// The features of S -> L S | L, L -> ( F ) | ., F -> ( F ) | L S, by the names of their weights.
std::map<std::string, double> g6_features(const std::string& sequence, const Outputs& y);

// What `closing` adds to those of configs/data/rna/loops.grammar, by the names of the weights.
std::map<std::string, double> closing_features(const std::string& sequence, const Outputs& y);

}  // namespace plugin_test
