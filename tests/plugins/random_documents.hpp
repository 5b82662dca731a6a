// random_documents.hpp - small documents of items with features of pairs, all partitions of their
// items, and measures of partitions by their definitions.
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
// About nine of ten pairs, with two features of few values, so that scores tie.
RandomDocument draw_document(Random& random, int items);
// All pairs, each with its own feature 1. A weight is the score of its pair, and psi shows which
// pairs are in one cluster.
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

// All partitions. Clusters are numbered in the order of their first items.
std::vector<Outputs> all_partitions(int items);
Outputs draw_partition(Random& random, int items);

// The share of wrong pairs; 0 if there is only one item.
double rand_error_by_pairs(const Outputs& truth, const Outputs& y);
// Vilain et al. 1995: the sum over the clusters k of `truth` of |k| - |parts of k in y|, divided by
// the sum of |k| - 1. NaN if truth has no links. Exchange the arguments for the precision of y.
double mitre_recall(const Outputs& truth, const Outputs& y);
// F1 of recall and precision. 0 if one is undefined or both are 0; 1 if both are undefined.
double mitre_f1(const Outputs& truth, const Outputs& y);
// The mean over the items of the share of their cluster in y that is in their cluster in truth.
// Exchange the arguments for the recall of y.
double b_cubed_precision(const Outputs& truth, const Outputs& y);

}  // namespace plugin_test
