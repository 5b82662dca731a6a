// rna_structures.hpp - secondary structures by plain recursion, and their features under G6. The
// tests compare the plugin rna with them. It shares no code with the plugin.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <map>

namespace plugin_test {

std::string random_sequence(Random& random, int bases);

// All structures as partners. Pairs have at least `min_between` bases between them. `canonical`:
// only AU, CG and GU pair.
std::vector<Outputs> all_structures(const std::string& sequence, int min_between, bool canonical);

// From partners to dots and brackets, and back.
std::string brackets(const Outputs& y);
Outputs partners(const std::string& brackets);

// The features of S -> L S | L, L -> ( F ) | ., F -> ( F ) | L S, by the names of their weights.
std::map<std::string, double> g6_features(const std::string& sequence, const Outputs& y);

// The features that `closing` adds to configs/data/rna/loops.grammar, by the names of the weights.
std::map<std::string, double> closing_features(const std::string& sequence, const Outputs& y);

}  // namespace plugin_test
