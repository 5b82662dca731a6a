// alignment_outputs.hpp - all alignments of two short sequences by plain recursion, and what they
// are worth, counted from their rows.
//
// Used by alignment_test.cpp; shares no code with the plugin.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <set>

namespace plugin_test {

// What stands beside the letters of a sequence.
struct Annotated {
  std::vector<std::string> tracks;           // [AlignmentTask::tracks] a symbol for each letter
  std::vector<std::vector<double>> profile;  // [letters][columns], or none
};

struct AlignmentTask {
  std::string a;  // lower case: not scored
  std::string b;
  bool local = false;
  bool any_order = false;
  bool affine = true;
  std::string model = "simple";
  bool symmetric = true;
  int window = 0;
  std::vector<std::string> tracks = {};
  int columns = 0;  // of profiles
  Annotated of_a = {};
  Annotated of_b = {};
  nlohmann::json parameters() const;
  nlohmann::json dataset_parameters() const;
  std::string file() const;
};

// Sequences of up to `longest` letters out of A, C, D, each lower case now and then; any mode.
AlignmentTask draw_alignment_task(Random& random, int longest);
// The same with up to three tracks of up to three symbols, now and then unknown, and with profiles.
AlignmentTask draw_annotated_task(Random& random, int longest);

std::vector<Outputs> all_alignments(const AlignmentTask& task);

// The pairs (i, j) that an alignment aligns; `scored`: of those with both letters in upper case.
std::set<std::pair<int, int>> pairs_of(const AlignmentTask& task, const Outputs& y, bool scored);

// The features by the names of their weights.
std::map<std::string, double> named_psi(const AlignmentTask& task, const Outputs& y);

}  // namespace plugin_test
