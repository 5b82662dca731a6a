// alignment_outputs.hpp - all alignments of two short sequences by plain recursion, with their
// features and aligned pairs.
//
// Used by alignment_test.cpp and homolog_test.cpp. It shares no code with the plugin.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <set>

namespace plugin_test {

// The tracks and the profile of a sequence.
struct Annotations {
  std::vector<std::string> tracks;           // [number of tracks], one symbol for each letter
  std::vector<std::vector<double>> profile;  // [letters][columns], or empty
};

struct AlignmentTask {
  std::string a;  // letters in lower case are not scored
  std::string b;
  bool local = false;
  bool any_order = false;
  bool affine = true;
  std::string model = "simple";
  bool symmetric = true;
  int window = 0;
  std::vector<std::string> tracks = {};
  int columns = 0;  // of the profiles
  Annotations of_a = {};
  Annotations of_b = {};
  nlohmann::json parameters() const;
  nlohmann::json dataset_parameters() const;
  std::string file() const;
};

// Draws two sequences of up to `longest` letters A, C, D, some in lower case, and any mode.
AlignmentTask draw_alignment_task(Random& random, int longest);
// The same, with up to three tracks of up to three symbols and with profiles. Some symbols are
// unknown.
AlignmentTask draw_annotated_task(Random& random, int longest);

std::vector<Outputs> all_alignments(const AlignmentTask& task);

// The pairs (i, j) that an alignment aligns. `scored`: only pairs with both letters in upper case.
std::set<std::pair<int, int>> pairs_of(const AlignmentTask& task, const Outputs& y, bool scored);

// psi, by the names of the weights.
std::map<std::string, double> named_psi(const AlignmentTask& task, const Outputs& y);

}  // namespace plugin_test
