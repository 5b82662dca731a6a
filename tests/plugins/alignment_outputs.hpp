// alignment_outputs.hpp - all alignments of two short sequences by plain recursion, and what they
// are worth, counted from their rows.
//
// Used by alignment_test.cpp; shares no code with the plugin.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <set>

namespace plugin_test {

struct AlignmentTask {
  std::string a;  // lower case: not scored
  std::string b;
  bool local = false;
  bool any_order = false;
  bool affine = true;
  bool simple = false;
  bool symmetric = true;
  int window = 0;
  nlohmann::json parameters() const;
  std::string file() const { return ">a\n" + a + "\n>b\n" + b + "\n"; }
};

// Sequences of up to `longest` letters out of A, C, D, each lower case now and then; any mode.
AlignmentTask draw_alignment_task(Random& random, int longest);

std::vector<Outputs> all_alignments(const AlignmentTask& task);

// The pairs (i, j) that an alignment aligns; `scored`: of those with both letters in upper case.
std::set<std::pair<int, int>> pairs_of(const AlignmentTask& task, const Outputs& y, bool scored);

// How often each weight counts, by its name.
std::map<std::string, double> named_psi(const AlignmentTask& task, const Outputs& y);

}  // namespace plugin_test
