// random_documents.hpp - small documents of items with features of pairs, their partitions, and
// measures of these by their definitions.
//
// Used by the tests of clustering.
#pragma once

#include "bound_features.hpp"
#include "oracle_calls.hpp"

namespace plugin_test {

struct RandomDocument {
  struct Pair {
    int first = 0;
    int second = 0;
    std::vector<double> input;
  };
  int items = 0;
  Outputs truth;
  std::vector<Pair> pairs;
  std::string file() const;
};
// Pairs, nine in ten of those that there are, of two features with few values, so that scores tie.
RandomDocument draw_document(Random& random, int items);
// All pairs, each with a feature of its own that is 1: weights are scores, psi is what is together.
RandomDocument document_of_single_pairs(int items, const Outputs& truth);

// A document with features, a loss and an oracle bound to it.
struct BoundDocument {
  BoundDocument(const RandomDocument& document, const std::string& loss_name,
                const std::string& oracle_name,
                const nlohmann::json& oracle_parameters = nlohmann::json::object(),
                bool bias = false);
  double score(const std::vector<double>& w, const Outputs& y) const;
  BoundFeatures bound;
  LiveComponent loss;
  LiveComponent oracle;
};

// All partitions, each numbered in the order of the first items.
std::vector<Outputs> all_partitions(int items);
Outputs draw_partition(Random& random, int items);

// Over pairs; 0 of one item.
double rand_error_by_pairs(const Outputs& truth, const Outputs& y);
// Over the clusters k of `truth`: sum of |k| - |parts of k in y| by sum of |k| - 1, Vilain et al.
// 1995; NaN where truth has no links. The precision of y with the two exchanged.
double mitre_recall(const Outputs& truth, const Outputs& y);
// F1 of both, 0 where one is undefined or both are 0, but 1 where both are undefined.
double mitre_f1(const Outputs& truth, const Outputs& y);
// The mean over the items of the share of their cluster in y that is of their cluster in truth. The
// recall of y with the two exchanged.
double b_cubed_precision(const Outputs& truth, const Outputs& y);

}  // namespace plugin_test
