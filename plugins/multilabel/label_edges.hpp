// label_edges.hpp - decides which pairs of labels have pair weights: all, a tree learned from the
// data, or a list.
//
// Called by the features multilabel. Edges are flat: u_0, v_0, u_1, v_1, ... with u < v. Labels
// count from 0 here; in texts they are as the data write them.
#pragma once

#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "label_names.hpp"

using LabelEdges = std::vector<std::int32_t>;

// Returns all K (K - 1) / 2 edges, in the order (0, 1), (0, 2), ..., (1, 2), ...
LabelEdges full_label_edges(std::int64_t labels);

// Returns a maximum spanning tree, sorted, of the mutual information of pairs of labels (Chow &
// Liu, IEEE Transactions on Information Theory 14, 1968). It uses the truths of the split "train"
// without unobserved labels. Prim's algorithm starts at label 0 (Bell System Technical Journal 36,
// 1957). Ties: the smaller pair first. Requires a label. Memory: the labels that are on, and O(K).
// Time: K^2 / 2 pairs. Throws E_CANCELLED if the host asks to stop.
LabelEdges tree_of_labels(const sculpt::SiteInput& input, std::int64_t labels,
                          const sculpt::Host& host);

// Returns the edges "1-2", "1-3", ... of a list, in its order. Throws parameter_error with the edge
// for malformed edges, unknown labels, self-loops and repeats. `dataset`: its id, for messages.
LabelEdges listed_label_edges(const std::vector<std::string>& list, const LabelNames& names,
                              const std::string& dataset);
